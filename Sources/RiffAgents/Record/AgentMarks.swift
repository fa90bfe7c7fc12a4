// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffScreen

/// Makes marks of an agent's states, for the record of its session: questions and their answers, turns done and failed.
public struct AgentMarks: Sendable {
    private var last: AgentState?
    private var isAsking = false
    private var isInTurn = false

    /// Creates the marks of a session.
    public init() {}

    /// Takes an agent's state.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - time: The time, in seconds since 1970.
    /// - Returns: The marks; empty if the state is the one of before.
    public mutating func take(_ state: AgentState, at time: Double) -> [RecordMark] {
        guard state != last else { return [] }
        var marks: [RecordMark] = []
        if state.name != last?.name { marks.append(RecordMark(time: time, kind: .state, text: state.name)) }
        switch state {
        case .waiting(let question):
            // What is known of a question grows; another one comes after some other state.
            if !isAsking || isOther(question) {
                if isAsking { marks.append(RecordMark(time: time, kind: .answer)) }
                marks.append(RecordMark(time: time, kind: .question, text: question?.summary ?? ""))
            }
            isAsking = true
            isInTurn = true
        case .working:
            if isAsking { marks.append(RecordMark(time: time, kind: .answer)) }
            isAsking = false
            isInTurn = true
        case .done:
            if isInTurn { marks.append(RecordMark(time: time, kind: .turnDone)) }
            end()
        case .interrupted:
            marks.append(RecordMark(time: time, kind: .turnFailed, text: "interrupted"))
            end()
        case .failed(let reason):
            marks.append(RecordMark(time: time, kind: .turnFailed, text: reason))
            end()
        case .exited(let exit):
            if isInTurn { marks.append(RecordMark(time: time, kind: .turnFailed, text: exit.description)) }
            end()
        case .starting, .dialog, .ready, .unknown: break
        }
        last = state
        return marks
    }

    private mutating func end() {
        isAsking = false
        isInTurn = false
    }

    private func isOther(_ question: AgentQuestion?) -> Bool {
        guard case .waiting(let earlier?) = last, let question else { return false }
        if let id = question.id, let known = earlier.id { return id != known }
        return !earlier.subject.isEmpty && !question.subject.isEmpty && earlier.subject != question.subject
    }
}
