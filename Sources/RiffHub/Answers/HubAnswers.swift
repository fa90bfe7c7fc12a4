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
    private enum Sent: Sendable, Hashable {
        /// It is being sent, or was; the hub has shown nothing yet.
        case onItsWay(mark: Int?, since: Duration)
        /// The connection was lost, or the hub was silent for too long: it may have it or not.
        case uncertain(mark: Int?, since: Duration)
        /// The history does not have it, as far as this connection goes.
        case missing(mark: Int?, since: Duration)
    }

    /// What may wait for one session.
    public static let limitBytes = 64 << 20
    /// How long the hub may be silent after an answer.
    public static let silence = Duration.seconds(30)

    private var waiting = Deque<Answer>()
    private var bytes = 0
    private var sent: Sent?
    /// Whether the hub takes an answer now.
    public private(set) var isInvited = false

    /// Whether the hub may still be turning an answer into text while it already counts as idle: nothing is known before
    /// the time for that is over.
    var isPatient = false
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
    public var isOnItsWay: Bool { if case .onItsWay = sent { true } else { false } }
    /// Whether only the history can tell if the hub has the answer.
    public var needsHistory: Bool { if case .uncertain = sent { true } else { false } }
    /// When the hub was silent for too long, or the history can tell.
    public var deadline: Duration? {
        switch sent {
        case .onItsWay(_, let since): since + Self.silence
        case .uncertain(_, let since): isPatient && !isSettling ? since + Self.silence : nil
        case .missing, nil: nil
        }
    }

    /// Keeps an answer.
    ///
    /// - Throws: ``HubError`` with `answersFull` where too much waits: that one is not kept.
    public mutating func add(_ answer: Answer) throws(HubError) {
        guard bytes + answer.content.bytes <= Self.limitBytes else {
            let message = "Too many answers wait for the hub; this one was not taken. Check the connection."
            throw HubError(.answersFull, message, recovery: .checkNetwork)
        }
        bytes += answer.content.bytes
        waiting.append(answer)
    }

    /// The hub listens. What it says right behind an answer was said before it had it, and counts for nothing.
    ///
    /// - Returns: Whether it takes an answer now.
    public mutating func invite() -> Bool {
        switch sent {
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
        (sent, isSettling) = (.onItsWay(mark: mark, since: now), false)
        return answer
    }

    /// Nothing of an answer was sent.
    public mutating func notSent(_ number: Int) {
        guard waiting.first?.number == number, sent != nil else { return }
        sent = nil
    }

    /// The hub shows that it has the answer, or has gone on without it.
    public mutating func confirm() {
        guard sent != nil else { return }
        (sent, isInvitedMeanwhile) = (nil, false)
        guard let answer = waiting.popFirst() else { return }
        bytes -= answer.content.bytes
    }

    /// The connection was lost, or nothing came for too long.
    public mutating func lose() {
        withdraw()
        switch sent {
        // What the history did not have may be there by now, and its words told to nobody.
        case .onItsWay(let mark, let since), .missing(let mark, let since):
            sent = .uncertain(mark: mark, since: since)
        case .uncertain, nil: break
        }
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
        switch sent {
        case .missing(let before, _): if before.map({ mark > $0 }) ?? lastIsUser { confirm() }
        case .uncertain(let before, let since): settle(before, since, mark: mark, lastIsUser, now)
        case .onItsWay, nil: break
        }
    }

    private mutating func settle(
        _ before: Int?,
        _ since: Duration,
        mark: Int,
        _ lastIsUser: Bool,
        _ now: Duration
    ) {
        if before.map({ mark > $0 }) ?? lastIsUser {
            confirm()
        } else if !isPatient || now >= since + Self.silence {
            sent = .missing(mark: before, since: since)
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
