// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACPTranscript {
    /// A tool call as it is now: what was announced, with every update applied.
    public struct ToolCall: Sendable, Hashable, Identifiable {
        /// The agent's id of it.
        public let id: ACP.ToolCallID
        /// The title of the call, in one line without control characters.
        public internal(set) var title = ""
        /// The kind of the tool.
        public internal(set) var kind: ACP.ToolKind = .other
        /// The progress of the call. A call that was not finished when its turn ended stays as it was;
        /// ``ACPTranscript`` says whether the turn runs.
        public internal(set) var status: ACP.ToolCallStatus = .pending
        /// The output of the call: content, diffs, terminals.
        public internal(set) var content: [ACP.ToolCallContent] = []
        /// Files that it touches.
        public internal(set) var locations: [ACP.ToolCallLocation] = []
        /// The input that the tool was given.
        public internal(set) var rawInput: JSONValue?
        /// The output that the tool returned.
        public internal(set) var rawOutput: JSONValue?
        /// Whether the person cancelled the turn before it was finished.
        public internal(set) var wasCancelled = false

        init(id: ACP.ToolCallID) { self.id = id }

        /// The changes to files.
        public var diffs: [ACP.Diff] { content.compactMap { if case .diff(let diff) = $0 { diff } else { nil } } }

        /// The terminals whose output belongs to it.
        public var terminals: [ACP.TerminalID] {
            content.compactMap { if case .terminal(let terminal) = $0 { terminal.terminalID } else { nil } }
        }

        /// Whether it has ended, one way or another.
        public var isFinished: Bool { wasCancelled || status == .completed || status == .failed }

        mutating func apply(_ call: ACP.ToolCall) {
            title = InertText.line(call.title)
            kind = call.kind ?? .other
            status = call.status ?? .pending
            content = call.content
            locations = call.locations
            rawInput = call.rawInput
            rawOutput = call.rawOutput
        }

        mutating func apply(_ update: ACP.ToolCallUpdate) {
            if case .set(let text) = update.title { title = InertText.line(text) }
            update.kind.apply(to: &kind, clearing: .other)
            update.status.apply(to: &status, clearing: .pending)
            update.content.apply(to: &content, clearing: [])
            update.locations.apply(to: &locations, clearing: [])
            update.rawInput.apply(to: &rawInput)
            update.rawOutput.apply(to: &rawOutput)
        }
    }
}

extension Patch {
    /// Makes the change to a property that always has a value.
    fileprivate func apply(to property: inout Value, clearing standard: Value) {
        switch self {
        case .keep: break
        case .clear: property = standard
        case .set(let value): property = value
        }
    }
}
