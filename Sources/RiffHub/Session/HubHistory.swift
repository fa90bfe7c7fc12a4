// Riff
// SPDX-License-Identifier: Apache-2.0

/// The history of one voice, made of histories that the hub sends and of messages that come live: a value.
///
/// Hubs before 279d9d6 give messages no ids. What came live is then found in a history by who said what, in order,
/// among the messages that were not known before.
package struct HubHistory: Sendable {
    /// The number of messages that a hub keeps of a voice, and this with it.
    package static let kept = 200
    /// The number of messages that a chat shows, and by which it grows.
    package static let window = 50
    /// The number of messages that are kept while the user looks at older ones.
    package static let most = 1_000

    /// The number of messages at the end of a history that may come live after it.
    static let overtaken = 8

    /// The treatment of a message that came live.
    package enum Arrival: Sendable, Hashable {
        /// It was added.
        case added
        /// It is there already.
        case known
        /// It is taken for one that a history told before it came. Without ids only the next history tells for certain.
        case uncertain
    }

    /// All of them, oldest first.
    package private(set) var messages: [HubChatMessage] = [] { didSet { revision += 1 } }
    /// The number of changes of what a chat shows, and some more: while it stays, so does what is shown.
    private(set) var revision = 0
    /// Whether the hub has told the history once.
    package private(set) var isLoaded = false
    /// Whether something that came live may be new, or what a history told: the next history tells.
    package private(set) var isUncertain = false
    /// The number of messages that were added since the history was made: to tell which came after another.
    private(set) var added = 0
    /// The number of messages that the person added, as answers; and the agent.
    private(set) var said = 0
    private(set) var replied = 0
    /// The messages that the last history had, and that may still come live; oldest first.
    private var expected: [HubChatMessage] = []
    /// The messages that came live and were taken for expected ones.
    private var claimed: [HubChatMessage] = []
    private var lastLive: HubChatMessage?
    /// The texts that the person wrote into the agent's work, and that were not shown; oldest first.
    private var interjected: [String] = []
    /// The number of messages that are shown.
    private var extent = HubHistory.window { didSet { revision += 1 } }
    /// Whether the hub has messages before all that are here.
    private var hubHasOlder = false { didSet { revision += 1 } }
    private var hubHasPages = false

    /// Nothing said.
    package init() {}

    /// The messages that a chat shows: the last 50, and older ones if they were asked for.
    package var shown: [HubChatMessage] {
        // From the newest on: most of the messages are older.
        Array(messages.reversed().lazy.filter { $0.isShown }.prefix(extent)).reversed()
    }

    /// Whether there are older messages to show, here or in the hub.
    package var hasOlder: Bool {
        extent < Self.most && (hubHasOlder || shows(moreThan: extent))
    }

    /// Shows 50 more.
    ///
    /// - Returns: The message before which the hub is to be asked, where what is here does not suffice.
    package mutating func showOlder() -> HubChatMessage? {
        guard hasOlder else { return nil }
        extent = min(extent + Self.window, Self.most)
        guard hubHasOlder, !shows(moreThan: extent - 1) else { return nil }
        return messages.first { $0.id != nil || $0.time != nil }
    }

    private func shows(moreThan count: Int) -> Bool {
        !messages.lazy.filter { $0.isShown }.dropFirst(count).isEmpty
    }

    /// Shows the last 50 again, and keeps no more than a hub does.
    package mutating func showNewest() {
        extent = Self.window
        trim()
    }

    /// The person writes this into the agent's work: it is no answer, also where only a history tells it.
    package mutating func interject(_ text: String) { interjected = (interjected + [text]).suffix(Self.overtaken) }

    /// Adds what came live.
    ///
    /// The same again, with nothing between, is the same message: several clients and a queue on the hub's side may
    /// bring it twice. And a history can tell a message before it comes: sound on its way holds up what lies behind it,
    /// and no history.
    ///
    /// - Parameters:
    ///   - message: What came.
    ///   - isNext: Whether nothing happened since the message before it.
    ///   - isInterjection: Whether the person said it without being asked.
    /// - Returns: What became of it.
    @discardableResult
    package mutating func append(
        _ message: HubChatMessage,
        unlessRepeated isNext: Bool = true,
        isInterjection: Bool = false
    ) -> Arrival {
        if isInterjection { isInterjected(message) }
        if let id = message.id, messages.contains(where: { $0.id == id }) {
            if let place = expected.firstIndex(where: { $0.id == id }) { expected.removeFirst(place + 1) }
            return .known
        }
        if isNext, let lastLive, message.id == nil, message == lastLive { return .known }
        lastLive = message
        // Messages come in order: what was told and has not come before this one does not come any more.
        if let place = expected.firstIndex(where: { Self.isSame(message, $0) }) {
            expected.removeFirst(place + 1)
            claimed.append(message)
            isUncertain = true
            return .uncertain
        }
        expected = []
        messages.append(message)
        added += 1
        if !isInterjection { count(CollectionOfOne(message)) }
        trim()
        return .added
    }

    /// The connection was lost: what was on its way does not come any more.
    mutating func lose() { (expected, lastLive) = ([], nil) }

    /// Whether any of it is as the hub told it, and not as it came live.
    package var hasToldMessages: Bool { messages.contains { $0.time != nil } }

    /// Tells whether an empty history would drop anything.
    ///
    /// - Parameter mark: ``mark`` when it was asked for.
    /// - Returns: Whether it would.
    package func loses(whenEmptyAt mark: Int) -> Bool { messages.count > max(0, added - mark) }

    /// Takes a history that the hub told: it decides on order and times.
    ///
    /// - Parameters:
    ///   - page: All that the hub keeps, or the newest page of it.
    ///   - mark: ``mark`` when the history was asked for: what came live since then may not be in it yet.
    ///   - hasMore: Whether the hub has more before it; else what is not in it was forgotten there.
    /// - Returns: How many of its messages are newer than all that was known.
    @discardableResult
    package mutating func merge(_ page: [HubChatMessage], askedAt mark: Int, hasMore: Bool = false) -> Int {
        // No more of it is ever shown; a hub can tell a million.
        let page = Array(page.suffix(Self.most))
        let wasLoaded = isLoaded
        isLoaded = true
        defer { (claimed, isUncertain) = ([], false) }
        let late = messages.count - min(messages.count, max(0, added - mark))
        if page.isEmpty {
            (messages, expected, hubHasOlder) = (Array(messages[late...]), [], false)
            return 0
        }
        let known = messages.filter { $0.time != nil }
        let places = Set(known.map(Self.identity))
        // Behind the last one that the hub had told before, everything is new.
        let first = (page.lastIndex { places.contains(Self.identity($0)) } ?? -1) + 1
        // Between a page in which nothing is known and what was there before, others may be missing.
        let older = hasMore && first > 0 ? olderThan(page, known) : []
        let told = older + page
        let anchors = Dictionary(told.indices.map { (Self.identity(told[$0]), $0) }) { $1 }
        var place = page.count
        var end = told.count
        var matched: Set<Int> = []
        var earliest = page.count
        var newest: Int?
        var insertions: [(place: Int, message: HubChatMessage)] = []
        for (index, message) in messages.enumerated().reversed() {
            guard message.time == nil else {
                // What the hub does not tell stays between its neighbors.
                end = min(end, anchors[Self.identity(message)] ?? end)
                continue
            }
            if let found = page[first..<place].lastIndex(where: { Self.isSame(message, $0) }) {
                (place, earliest, newest) = (found, found, newest ?? found)
                end = min(end, older.count + found)
                matched.insert(found)
            } else if index >= late || !page.contains(where: { Self.isSame(message, $0) }) {
                insertions.append((end, message))
            }  // Else it was shown twice: what came before the hub was asked is in what it tells.
        }
        if insertions.contains(where: { $0.place == told.count }) {
            // Something came that is newer than all of it.
            expected = []
        } else {
            expect(page, behind: newest, among: first..<max(first, earliest))
        }
        // The first history that is told is older than all that is known, up to what came live.
        let begin = wasLoaded ? first : earliest
        let news = page.indices[begin...].filter { !matched.contains($0) }
        messages = Self.merging(insertions.reversed(), into: told)
        if older.isEmpty { hubHasOlder = hasMore }
        hubHasPages = hubHasPages || hasMore
        added += news.count
        count(news.map { page[$0] }.filter { !isInterjected($0) })
        trim()
        return news.count
    }

    /// Puts messages before those at their places, which only grow.
    private static func merging(
        _ insertions: some Sequence<(place: Int, message: HubChatMessage)>,
        into told: [HubChatMessage]
    ) -> [HubChatMessage] {
        var merged: [HubChatMessage] = []
        var next = 0
        for (place, message) in insertions {
            merged += told[next..<place]
            merged.append(message)
            next = place
        }
        return merged + told[next...]
    }

    /// Puts an older page before what is known.
    ///
    /// - Parameters:
    ///   - page: The messages before the oldest one that is known.
    ///   - hasMore: Whether the hub has still older ones.
    package mutating func prepend(_ page: [HubChatMessage], hasMore: Bool = false) {
        let known = Set(messages.map(Self.identity))
        let older = page.filter { !known.contains(Self.identity($0)) }
        messages.insert(contentsOf: older, at: 0)
        hubHasOlder = hasMore && !older.isEmpty
        trim()
    }

    /// Forgets everything, as the hub does.
    package mutating func clear() {
        (messages, isLoaded) = ([], true)
        (expected, claimed, isUncertain, lastLive, interjected) = ([], [], false, nil, [])
        (extent, hubHasOlder) = (Self.window, false)
    }

    /// The mark of the history, to be given to ``merge(_:askedAt:)``.
    package var mark: Int { added }

    /// Returns the mark of messages that only an answer brings: the person's words; and the agent's, if agents say
    /// nothing unless they were answered.
    ///
    /// - Parameter isUnasked: Whether agents of this hub also speak by themselves.
    /// - Returns: A number that grows with them, and with nothing else.
    package func answerMark(agentSpeaksUnasked isUnasked: Bool) -> Int { isUnasked ? said : said + replied }

    /// Whether this shows what the person wrote into the agent's work; once.
    @discardableResult
    private mutating func isInterjected(_ message: HubChatMessage) -> Bool {
        guard message.role == .user, let place = interjected.firstIndex(of: message.text) else { return false }
        interjected.remove(at: place)
        return true
    }

    private mutating func count(_ news: some Sequence<HubChatMessage>) {
        for message in news where message.isShown {
            if message.role == .user { said += 1 }
            if message.role == .assistant { replied += 1 }
        }
    }

    /// Messages that were told before and lie before the page: a page is not all there is.
    private func olderThan(_ page: [HubChatMessage], _ known: [HubChatMessage]) -> [HubChatMessage] {
        guard let start = page.first?.time else { return [] }
        let inPage = Set(page.map(Self.identity))
        return known.filter { ($0.time ?? 0) < start && !inPage.contains(Self.identity($0)) }
    }

    /// Notes what of a page may still come live: what lies behind the newest message that has.
    private mutating func expect(_ page: [HubChatMessage], behind newest: Int?, among news: Range<Int>) {
        var newest = newest
        var end = news.upperBound
        for message in claimed.reversed() {
            guard let found = page[news.lowerBound..<end].lastIndex(where: { Self.isSame(message, $0) }) else {
                continue
            }
            (newest, end) = (newest ?? found, found)
        }
        let open = newest.map { Array(page[($0 + 1)...]) } ?? expected + page[news.lowerBound...]
        expected = open.filter { $0.isShown && ($0.role == .user || $0.role == .assistant) }.suffix(Self.overtaken)
    }

    private mutating func trim() {
        let limit = extent > Self.window ? Self.most : Self.kept
        guard messages.count > limit else { return }
        messages.removeFirst(messages.count - limit)
        hubHasOlder = hubHasPages
    }

    private struct Identity: Hashable {
        var id: HubChatMessage.ID?
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
