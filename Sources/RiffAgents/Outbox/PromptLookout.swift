// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffShare

/// Looks for prompts in an agent's record from a mark on.
package struct PromptLookout: Sendable {
    private let record: any PromptRecord
    private let receipts: RecordedPrompts
    /// The most bytes that one look reads; a turn with its tools has some hundred kilobytes.
    static let limitBytes: Int64 = 64 * 1_048_576
    private static let pieceBytes = 256 * 1024
    private static let lineBytes = 4 * 1_048_576

    /// Creates a lookout over an agent's record.
    package init(agent: AgentKind, record: any PromptRecord) {
        self.record = record
        receipts = RecordedPrompts(agent: agent)
    }

    /// The place from which a receipt counts that is written after this moment.
    package func mark() async throws -> String {
        guard let file = try await record.size() else { return PromptRecordMark(name: "", offset: 0).text }
        return PromptRecordMark(name: file.name, offset: file.bytes).text
    }

    /// Looks for a prompt.
    package func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook {
        guard receipts.isKnown else { return .unknown("The records of this agent are not known.") }
        guard let mark = PromptRecordMark(mark) else {
            return .unknown("The place in the agent's record is not known.")
        }
        guard let file = try await record.size() else {
            return mark.name.isEmpty ? .absent : .unknown("The agent's record is gone.")
        }
        guard let start = mark.start(in: file) else {
            return .unknown("The agent has begun another record since.")
        }
        guard file.bytes - start <= Self.limitBytes else { return .unknown("The agent's record has grown too much.") }
        // A longer line has a picture in it, and is left out: its prompt is not found, which is no proof against it.
        var splitter = LineSplitter(limitBytes: Self.lineBytes, overflow: .drops, stripsCR: false)
        var isWhole = true
        var position = start
        while position < file.bytes {
            let count = Int(min(Int64(Self.pieceBytes), file.bytes - position))
            let bytes = try await record.read(file.name, from: position, atMost: count)
            guard !bytes.isEmpty else { return .unknown("The agent's record was cut short.") }
            position += Int64(bytes.count)
            let lines = splitter.push(bytes)
            if lines.contains(where: \.isCut) { isWhole = false }
            if let turn = receipts.find(prompt.text, id: prompt.id.text, in: lines.map { Array($0.bytes) }) {
                return .received(turn: turn)
            }
        }
        return isWhole ? .absent : .unknown("A line of the agent's record is too long to be read.")
    }
}
