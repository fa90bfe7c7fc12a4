// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffHub

/// What a line that was typed asks for.
package enum GridCommand: Equatable {
    /// A voice, by its place in the grid, its name or its id.
    case open(String)
    case showGrid
    case say(String)
    /// What is said in a recording.
    case answer(String)
    case record
    case finish
    case discard
    case interrupt
    case mute(Bool)
    case showSettings
    /// A setting by its name on the wire, and its value as it was typed.
    case set(String, String)
    case speed(Double)
    /// The voice that is open where none is named.
    case end(String?)
    /// The messages of the voice that is open.
    case history
    /// Older messages than are shown of it.
    case older
    /// Words into the agent's work.
    case interject(String)
    /// How the agent answers.
    case mode(HubMode)
    case clear
    case refresh
    /// Until a voice is in a state; the one that is open where none is named.
    case wait(String?, HubCard.State)
    case help
    case leave
    /// None of these.
    case unknown(String)

    package static let usage =
        "/open VOICE, /grid, /answer FILE.wav, /interject WORDS, /record, /send, /discard, /interrupt, /mute, /unmute, "
        + "/mode voice|text, /settings, /set NAME VALUE, /speed X, /older, /end [VOICE], /clear, /refresh, /quit"

    /// What a line asks for; `nil` for an empty one.
    ///
    /// - Parameters:
    ///   - line: What was typed.
    ///   - isOpen: Whether a voice is open: other words are said to it then, and name one of the grid else.
    package init?(_ line: String, isOpen: Bool) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first else { return nil }
        let rest = words.count > 1 ? String(words[1].trimmingPrefix(while: \.isWhitespace)) : ""
        guard first.hasPrefix("/") else {
            self = isOpen ? .say(line) : .open(line.split(separator: " ").joined(separator: " "))
            return
        }
        self = Self.named(first, rest.isEmpty ? nil : rest) ?? .unknown(first)
    }

    private static func named(_ word: String, _ rest: String?) -> GridCommand? {
        let plain: [String: GridCommand] = [
            "/grid": .showGrid, "/record": .record, "/send": .finish, "/discard": .discard, "/interrupt": .interrupt,
            "/mute": .mute(true), "/unmute": .mute(false), "/settings": .showSettings, "/history": .history,
            "/older": .older, "/clear": .clear, "/refresh": .refresh, "/help": .help, "/quit": .leave,
        ]
        if let command = plain[word] { return rest == nil ? command : nil }
        switch word {
        case "/open": return rest.map { .open($0) }
        case "/say": return rest.map { .say($0) }
        case "/interject": return rest.map { .interject($0) }
        case "/mode":
            let mode = rest.map(HubMode.init(rawValue:))
            return mode == .voice || mode == .text ? mode.map { .mode($0) } : nil
        case "/answer": return rest.map { .answer($0) }
        case "/end": return .end(rest)
        case "/speed": return rest.flatMap { Double($0) }.map { .speed($0) }
        case "/set":
            let parts = (rest ?? "").split(separator: " ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? .set(parts[0], parts[1]) : nil
        case "/wait":
            let parts = (rest ?? "").split(separator: " ").map(String.init)
            guard (1...2).contains(parts.count), let state = parts.last.flatMap(HubCard.State.init(named:)) else {
                return nil
            }
            return .wait(parts.count == 2 ? parts[0] : nil, state)
        default: return nil
        }
    }
}

extension HubCard.State {
    private static let names: [(name: String, state: HubCard.State)] = [
        ("inactive", .inactive), ("spawning", .spawning), ("starting", .starting), ("idle", .idle),
        ("thinking", .thinking), ("speaking", .speaking), ("listening", .listening), ("transcribing", .transcribing),
    ]

    /// The word for it, as scripts read it.
    package var name: String { Self.names.first { $0.state == self }?.name ?? "" }

    /// The state of a word.
    package init?(named name: String) {
        guard let found = Self.names.first(where: { $0.name == name }) else { return nil }
        self = found.state
    }
}

extension HubSnapshot {
    /// The card that a person means: by its place, from 1 on; its voice's id or name; or the beginning of its name,
    /// where it is the only one.
    package func card(meant text: String) -> HubCard? {
        if let place = Int(text) { return cards.indices.contains(place - 1) ? cards[place - 1] : nil }
        let wanted = text.lowercased()
        if let card = cards.first(where: { $0.voice.id.rawValue == text || $0.voice.name.lowercased() == wanted }) {
            return card
        }
        let some = cards.filter { $0.voice.name.lowercased().hasPrefix(wanted) }
        return some.count == 1 ? some[0] : nil
    }

    /// The card of the voice that is open.
    package var openCard: HubCard? { cards.first(where: \.isOpen) }
}
