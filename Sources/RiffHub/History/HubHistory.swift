// Riff
// SPDX-License-Identifier: Apache-2.0

/// What was said with one voice, made of histories that the hub tells and of what comes live: a value.
///
/// Hubs before 279d9d6 give messages no ids. What came live is then found in a history by who said what, in order, among
/// the messages that were not known before.
public struct HubHistory: Sendable, Hashable {
    /// How many messages a hub keeps of a voice, and this with it.
    public static let kept = 200
    /// How many messages a chat shows.
    public static let window = 50

    /// All of them, oldest first.
    public private(set) var messages: [HubChatMessage] = []
    /// Whether the hub has told the history once.
    public private(set) var isLoaded = false
    /// How many messages were added since it was made: to tell what came after something.
    private(set) var added = 0

    /// Nothing said.
    public init() {}

    /// What a chat shows: the last 50.
    public var shown: [HubChatMessage] { Array(messages.lazy.filter(\.isShown).suffix(Self.window)) }

    /// Adds what came live. The same again, with nothing between, is the same message: several clients and a queue on
    /// the hub's side may bring it twice.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    public mutating func append(_ message: HubChatMessage) -> Bool {
        if let id = message.id {
            guard !messages.contains(where: { $0.id == id }) else { return false }
        } else if let last = messages.last, last.id == nil, last.role == message.role, last.text == message.text {
            return false
        }
        messages.append(message)
        added += 1
        trim()
        return true
    }

    /// Takes a history that the hub told: it decides on order and times.
    ///
    /// - Parameters:
    ///   - page: All that the hub keeps, or the newest page of it.
    ///   - mark: ``mark`` when the history was asked for: what came live since then may not be in it yet.
    ///   - hasMore: Whether the hub has more before it; else what is not in it was forgotten there.
    /// - Returns: How many of its messages are newer than all that was known.
    @discardableResult
    public mutating func merge(_ page: [HubChatMessage], askedAt mark: Int, hasMore: Bool = false) -> Int {
        let wasLoaded = isLoaded
        isLoaded = true
        let late = Array(messages.suffix(min(messages.count, max(0, added - mark))))
        if page.isEmpty {
            messages = late
            return 0
        }
        let known = messages.filter { $0.time != nil }
        let places = Set(known.map(Self.identity))
        // Behind the last one that the hub had told before, everything is new.
        let first = (page.lastIndex { places.contains(Self.identity($0)) } ?? -1) + 1
        var place = page.count
        var matched = 0
        var earliest = page.count
        var insertions: [(place: Int, message: HubChatMessage)] = []
        for message in messages.reversed() where message.time == nil {
            if let found = page[first..<place].lastIndex(where: { Self.isSame(message, $0) }) {
                (place, earliest, matched) = (found, found, matched + 1)
            } else {
                insertions.append((place, message))
            }
        }
        // The first history that is told is older than all that is known, up to what came live.
        let begin = wasLoaded ? first : earliest
        let news = max(0, page.count - begin - matched)
        var merged = page
        for (place, message) in insertions { merged.insert(message, at: place) }
        messages = (hasMore ? olderThan(page, known) : []) + merged
        added += news
        trim()
        return news
    }

    /// Puts an older page before what is known.
    public mutating func prepend(_ page: [HubChatMessage]) {
        let known = Set(messages.map(Self.identity))
        messages.insert(contentsOf: page.filter { !known.contains(Self.identity($0)) }, at: 0)
    }

    /// Forgets everything, as the hub does.
    public mutating func clear() { (messages, isLoaded) = ([], true) }

    /// How far it is, to be given to ``merge(_:askedAt:)``.
    public var mark: Int { added }

    /// Messages that were told before and lie before the page: a page is not all there is.
    private func olderThan(_ page: [HubChatMessage], _ known: [HubChatMessage]) -> [HubChatMessage] {
        guard let start = page.first?.time else { return [] }
        let inPage = Set(page.map(Self.identity))
        return known.filter { ($0.time ?? 0) < start && !inPage.contains(Self.identity($0)) }
    }

    private mutating func trim() {
        if messages.count > Self.kept { messages.removeFirst(messages.count - Self.kept) }
    }

    private struct Identity: Hashable {
        var id: String?
        var time: Double?
        var role: HubChatMessage.Role?
        var text: String?
    }

    private static func identity(_ message: HubChatMessage) -> Identity {
        if let id = message.id { return Identity(id: id) }
        return Identity(time: message.time, role: message.role, text: message.text)
    }

    private static func isSame(_ live: HubChatMessage, _ told: HubChatMessage) -> Bool {
        if let id = live.id, let other = told.id { return id == other }
        return live.role == told.role && live.text == told.text
    }
}
