// Riff
// SPDX-License-Identifier: Apache-2.0

package import ExampleTerminal
import Foundation
package import RiffAgents
import RiffCore
package import RiffTalk
package import RiffVoice
import Synchronization

/// Writes down what goes on: a line for each change, and in a terminal the level in the last one.
package final class TalkPrinter: Sendable {
    private let last = Mutex(ConversationSnapshot())
    private let isTerminal: Bool
    private let write: @Sendable (HarmlessText) -> Void

    package init(
        isTerminal: Bool = isatty(1) == 1,
        write: @escaping @Sendable (HarmlessText) -> Void = { Printing.write($0) }
    ) {
        self.isTerminal = isTerminal
        self.write = write
    }

    package func show(_ snapshot: ConversationSnapshot) {
        let before = last.withLock { last in
            defer { last = snapshot }
            return last
        }
        if snapshot.phase != before.phase { say("\(Self.text(of: snapshot.phase))") }
        if snapshot.heard != before.heard, !snapshot.heard.isEmpty { say("  \"\(snapshot.heard)\"") }
        if let problem = snapshot.problem, problem != before.problem { say("! \(problem.message)") }
    }

    package func show(_ level: AudioLevel) {
        guard isTerminal else { return }
        let bars = max(0, min(20, Int((level.rms + 60) / 3)))
        write("\r\(String(repeating: "▮", count: bars))\(String(repeating: "·", count: 20 - bars))")
    }

    package func show(_ state: AgentState) {
        let subject = state.subject.map { ": \($0)" } ?? ""
        say("agent: \(state.name)\(subject)")
    }

    func show(_ figures: Conversation.Figures) {
        let typed = figures.speechToTyped.map { "end of speech to typed \(Self.text(of: $0))" }
        let sounded = figures.answerToSound.map { "answer to first sound \(Self.text(of: $0))" }
        say("  \([typed, sounded].compactMap(\.self).joined(separator: ", "))")
    }

    private static func text(of duration: Duration) -> String {
        duration.formatted(.units(allowed: [.milliseconds]))
    }

    private static func text(of phase: ConversationSnapshot.Phase) -> String {
        switch phase {
        case .idle: "ended"
        case .connecting: "connecting"
        case .listening(isLive: false, _): "opening the microphone"
        case .listening(isLive: true, hasSpeech: false): "listening"
        case .listening(isLive: true, hasSpeech: true): "hearing you"
        case .recognizing: "recognizing"
        case .submitting: "typing"
        case .waiting: "the agent works"
        case .speaking: "speaking"
        case .asking: "asking for permission"
        case .interrupted: "interrupted"
        case .ending: "ending"
        }
    }

    private func say(_ line: HarmlessText) { write(isTerminal ? "\r\u{1B}[K\(line)\n" : "\(line)\n") }
}
