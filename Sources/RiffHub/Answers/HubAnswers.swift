// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore

/// What a person answered, and has not yet reached the hub for certain: a value. Answers wait here until the hub listens,
/// are sent one for each time that it does, and stay until the hub shows that it has them.
public struct HubAnswers: Sendable {
    /// An answer.
    public struct Answer: Sendable, Hashable {
        /// Its number.
        public let number: Int
        /// What was said or typed.
        public let content: Content

        /// An answer.
        public init(number: Int, content: Content) { (self.number, self.content) = (number, content) }
    }

    /// What an answer is.
    public enum Content: Sendable, Hashable {
        /// A sound file.
        case clip([UInt8])
        /// Text.
        case text(String)

        var bytes: Int {
            switch self {
            case .clip(let bytes): bytes.count
            case .text(let text): text.utf8.count
            }
        }
    }

    /// What is known of the answer that was sent last.
    private struct Sent: Sendable, Hashable {
        enum Stage: Sendable, Hashable {
            /// It is being sent, or was; the hub has shown nothing yet.
            case onItsWay
            /// The connection was lost, or the hub was silent for too long, or went on: it may have it or not.
            case uncertain
            /// The history does not have it, as far as this connection goes.
            case missing
        }

        var stage = Stage.onItsWay
        /// How far the history was.
        var mark: Int?
        /// When it was there at the latest; when it was given to the connection, where nobody knows.
        var since: Duration
        /// Whether the connection showed that all of it came to the hub's end.
        var hasArrived = false
        /// Whether the hub went on with something else: what the agent said then is no sign of the answer.
        var isPassed = false
    }

    /// What may wait for one session.
    public static let limitBytes = 64 << 20
    /// How long the hub may be silent after an answer has arrived. How long that takes is the connection's matter.
    public static let silence = Duration.seconds(30)

    private var waiting = Deque<Answer>()
    private var bytes = 0
    private var sent: Sent?
    /// Whether the hub takes an answer now.
    public private(set) var isInvited = false

    /// Whether the hub may still be turning an answer into text while it already counts as idle: nothing is known before
    /// the time for that is over.
    package var isPatient = false
    /// Whether the history was asked for since the time for that is over.
    var isSettling = false
    private var isInvitedMeanwhile = false

    /// Nothing said.
    public init() {}

    /// Whether an answer waits, or is on its way.
    public var isEmpty: Bool { waiting.isEmpty }
    /// How many answers the hub does not have for certain.
    public var count: Int { waiting.count }
    /// Whether an answer was sent and the hub has shown nothing yet.
    public var isOnItsWay: Bool { sent?.stage == .onItsWay }
    /// Whether only the history can tell if the hub has the answer.
    public var needsHistory: Bool { sent?.stage == .uncertain }
    /// The number of the answer that was sent, and is not known to be there.
    var sentNumber: Int? { sent == nil ? nil : waiting.first?.number }
    /// When the hub was silent for too long, or the history can tell.
    public var deadline: Duration? {
        guard let sent else { return nil }
        switch sent.stage {
        case .onItsWay: return sent.hasArrived ? sent.since + Self.silence : nil
        case .uncertain: return isPatient && !isSettling ? sent.since + Self.silence : nil
        case .missing: return nil
        }
    }

    /// Keeps an answer.
    ///
    /// - Throws: ``HubError`` with `answersFull` where too much waits: that one is not kept.
    public mutating func add(_ answer: Answer) throws(HubError) {
        try check(answer.content)
        bytes += answer.content.bytes
        waiting.append(answer)
    }

    /// Whether an answer can be kept.
    ///
    /// - Throws: ``HubError`` with `answersFull` where too much waits.
    func check(_ content: Content) throws(HubError) {
        guard bytes + content.bytes > Self.limitBytes else { return }
        let message = "Too many answers wait for the hub; this one was not taken. Check the connection."
        throw HubError(.answersFull, message, recovery: .checkNetwork)
    }

    /// The hub listens. What it says right behind an answer was said before it had it, and counts for nothing.
    ///
    /// - Returns: Whether it takes an answer now.
    public mutating func invite() -> Bool {
        switch sent?.stage {
        case .onItsWay: return false
        case .uncertain:
            isInvitedMeanwhile = true
            return false
        case .missing, nil:
            isInvited = true
            return true
        }
    }

    /// The hub does not listen.
    public mutating func withdraw() { (isInvited, isInvitedMeanwhile) = (false, false) }

    /// The next answer to send, where the hub takes one.
    ///
    /// - Parameters:
    ///   - mark: How far the history is now; `nil` where it is not known.
    ///   - now: The time.
    /// - Returns: The answer; `nil` where none waits, or the hub does not listen.
    public mutating func next(mark: Int?, at now: Duration) -> Answer? {
        guard isInvited, let answer = waiting.first else { return nil }
        isInvited = false
        (sent, isSettling) = (Sent(mark: mark, since: now), false)
        return answer
    }

    /// All of an answer came to the hub's end of the connection: from now on the hub has to show something of it.
    ///
    /// - Returns: Whether the hub has gone on meanwhile, so that only the history can tell.
    public mutating func arrived(_ number: Int, at now: Duration) -> Bool {
        guard waiting.first?.number == number, sent?.stage == .onItsWay, sent?.hasArrived == false else { return false }
        sent?.hasArrived = true
        sent?.since = now
        guard sent?.isPassed == true else { return false }
        sent?.stage = .uncertain
        return true
    }

    /// The hub goes on, and has shown nothing of the answer: what it was saying belongs to something else, which it may
    /// have said before it had the answer.
    ///
    /// - Parameter mark: How far the history is, with what it said.
    /// - Returns: Whether only the history can tell now.
    public mutating func pass(mark: Int?) -> Bool {
        guard let known = sent else { return false }
        if known.stage == .onItsWay { sent?.isPassed = true }
        if sent?.isPassed == true { sent?.mark = mark }
        if known.stage == .missing || known.hasArrived { sent?.stage = .uncertain }
        return needsHistory
    }

    /// Nothing of an answer was sent.
    public mutating func notSent(_ number: Int) {
        guard waiting.first?.number == number, sent != nil else { return }
        sent = nil
    }

    /// An answer can never be sent: it is not kept.
    public mutating func drop(_ number: Int) {
        if waiting.first?.number == number { confirm() }
    }

    /// The hub shows that it has the answer: it makes words of one, or tells the words.
    public mutating func confirm() {
        guard sent != nil else { return }
        (sent, isInvitedMeanwhile) = (nil, false)
        guard let answer = waiting.popFirst() else { return }
        bytes -= answer.content.bytes
    }

    /// The connection was lost, or nothing came for too long.
    ///
    /// - Parameter now: The time, where it may still have arrived until now.
    public mutating func lose(at now: Duration? = nil) {
        withdraw()
        if let now, sent?.stage == .onItsWay, sent?.hasArrived == false { sent?.since = now }
        // What the history did not have may be there by now, and its words told to nobody.
        sent?.stage = .uncertain
    }

    /// Nothing will tell whether the hub has the answer: it is not kept, nor sent again.
    public mutating func giveUp() {
        guard needsHistory else { return }
        let isInvited = isInvitedMeanwhile
        confirm()
        if isInvited { _ = invite() }
    }

    /// The hub told the history, which was asked for over the connection that stands.
    ///
    /// - Parameters:
    ///   - mark: How far the history is now.
    ///   - lastIsUser: Whether the person's words are its end.
    ///   - now: The time.
    public mutating func history(mark: Int, lastIsUser: Bool, at now: Duration) {
        guard let sent, sent.stage != .onItsWay else { return }
        if sent.mark.map({ mark > $0 }) ?? lastIsUser {
            confirm()
        } else if sent.stage == .uncertain, !isPatient || now >= sent.since + Self.silence {
            self.sent?.stage = .missing
            if isInvitedMeanwhile { (isInvited, isInvitedMeanwhile) = (true, false) }
        }
    }

    /// Takes back everything, as when the session has ended.
    public mutating func removeAll() { self = HubAnswers() }
}

extension HubError.Code {
    /// Too many answers wait for the hub; the newest was not taken.
    public static let answersFull = HubError.Code(rawValue: "answersFull")
}
