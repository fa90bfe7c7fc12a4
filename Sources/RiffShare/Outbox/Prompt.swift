// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A prompt of a ``PromptOutbox``. Printing one shows its id and its state, never its text.
public struct Prompt: Sendable, Hashable, Identifiable {
    /// The part of an agent's work that a prompt is meant for.
    public enum Delivery: String, Sendable, Hashable {
        /// The next turn: it waits until the agent is done.
        case nextTurn
        /// The turn that runs, if the agent takes words in the middle of one; else the next one.
        case thisTurn
    }

    /// Its id, made on this device: 32 hexadecimal digits. An agent that keeps a client's id of a message gets this
    /// one.
    public let id: RiffIdentifier
    /// The name of the agent that it is for, as the app calls it.
    public let agent: String
    /// The words of the prompt.
    public internal(set) var text: String
    /// Pictures and films that go with it, until the agent has it.
    public internal(set) var attachments: [SharedMediaItem.Name]
    /// When it is meant to be read.
    public internal(set) var delivery: Delivery
    /// The prompt's state.
    public internal(set) var state: PromptState
    /// The number of times that its hand-over was begun.
    public internal(set) var attempts: Int
    /// When it was added, in whole seconds since 1970.
    public let created: Int64

    /// Its place among those that were not moved: the order in which they were added.
    let sequence: Int64
    /// The carrier's mark of the place in the agent's record from which a receipt of it counts: that of the first
    /// attempt.
    package var mark: String?
    /// Whether the step that submits it was begun: what was cut off before that was not submitted.
    package var isCommitted: Bool
    /// The paths of its attachments on the agent's host, as they were handed over.
    var paths: [String] = []

    /// The prompt as it is handed to the agent, and looked for in its records.
    package var outgoing: OutgoingPrompt {
        let text = ([text] + paths).filter { !$0.isEmpty }.joined(separator: "\n")
        return OutgoingPrompt(id: id, text: text, delivery: delivery)
    }
}

extension Prompt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its id and its state.
    public var description: String { "prompt \(id) (\(state.name))" }
    /// Its id and its state.
    public var debugDescription: String { description }
    /// Shows no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: JSON

extension Prompt {
    /// The format of a prompt's file.
    static let format = 1

    /// The name of its file: names sort by the order in which prompts were added.
    var fileName: String {
        let digits = String(sequence)
        return "\(String(repeating: "0", count: max(0, 15 - digits.utf8.count)))\(digits)-\(id).json"
    }

    /// The sequence and the id of a file's name; `nil` for other files.
    static func parts(ofFile name: String) -> (sequence: Int64, id: RiffIdentifier)? {
        guard let stem = name.hasSuffix(bytes: ".json") ? name.dropLast(5) : nil else { return nil }
        let parts = stem.split(byte: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 15, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let sequence = Int64(parts[0]), HexDigits.isText(parts[1], count: 32),
            let id = try? RiffIdentifier(String(parts[1]))
        else { return nil }
        return (sequence, id)
    }

    /// The contents of its file.
    var bytes: [UInt8] {
        var object: JSONObject = [
            "format": .integer(Int64(Self.format)), "agent": .string(agent), "text": .string(text),
            "attachments": .array(attachments.map { .string($0.text) }), "delivery": .string(delivery.rawValue),
            "state": .string(state.name), "detail": .string(state.detail ?? ""),
            "attempts": .integer(Int64(attempts)), "created": .integer(created), "committed": .bool(isCommitted),
        ]
        if let mark { object["mark"] = .string(mark) }
        if !paths.isEmpty { object["paths"] = .array(paths.map { .string($0) }) }
        return JSONValue.object(object).bytes()
    }

    /// Reads a file; `nil` if it is damaged, or of a later version.
    init?(file name: String, bytes: [UInt8]) {
        guard let (sequence, id) = Self.parts(ofFile: name), let json = try? JSONValue(parsing: bytes),
            json["format"]?.integer == Int64(Self.format), let agent = json["agent"]?.text,
            let text = json["text"]?.text, let names = json["attachments"]?.array,
            let delivery = json["delivery"]?.text.flatMap(Delivery.init(rawValue:)),
            let state = PromptState(name: json["state"]?.text ?? "", detail: json["detail"]?.text ?? ""),
            let attempts = json["attempts"]?.integer.flatMap(Int.init(exactly:)), attempts >= 0,
            let created = json["created"]?.integer, let isCommitted = json["committed"]?.bool
        else { return nil }
        let attachments = names.compactMap { $0.text.flatMap(SharedMediaItem.Name.init) }
        guard attachments.count == names.count else { return nil }
        self.id = id
        self.agent = agent
        self.text = text
        self.attachments = attachments
        self.delivery = delivery
        self.state = state
        self.attempts = attempts
        self.created = created
        self.sequence = sequence
        self.mark = json["mark"]?.text
        self.isCommitted = isCommitted
        paths = json["paths"]?.array?.compactMap(\.text) ?? []
    }
}
