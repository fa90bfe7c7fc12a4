// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
public import RiffCore

/// A person's answers of which the hub has not made words for certain: a value. Answers wait here until the hub
/// listens, are sent one for each time that it does, and stay until their words are there.
///
/// That a hub makes words of an answer is no sign that it keeps it: one that dies meanwhile, or closes the connection
/// because recognition failed, has lost it. Such an answer is sent once more at most.
package struct HubAnswers: Sendable {
    /// An answer of the person.
    package struct Answer: Sendable, Hashable {
        /// The answer's number.
        package let number: Int
        /// The content of the answer, spoken or typed.
        package let content: Content

        /// Creates an answer.
        package init(number: Int, content: Content) { (self.number, self.content) = (number, content) }
    }

    /// The content of an answer, spoken or typed.
    package typealias Content = HubSnapshot.LostAnswer.Content

    /// What is known of the answer that was sent last.
    private struct Sent: Sendable, Hashable {
        enum Stage: Sendable, Hashable {
            /// It is being sent, or was; the hub has shown nothing yet.
            case onItsWay
            /// The hub recognizes the words of the answer, over the connection that is open.
            case transcribing
            /// The connection was lost, or the hub was silent for too long, or went on: it may have it or not.
            case uncertain
            /// The history does not have it, as far as this connection goes.
            case missing
        }

        var stage = Stage.onItsWay
        /// The mark of the history at that time.
        var mark: Int?
        /// The person's own words that it had.
        var words: Int?
        /// The latest time at which the answer arrived; the time when it was given to the connection, if its arrival is
        /// not known.
        var since: Duration
        /// Whether the connection showed that all of it came to the hub's end.
        var hasArrived = false
        /// Whether the hub went on with something else: what the agent said then is no sign of the answer.
        var isPassed = false
        /// When the hub began to make words of it; `nil` if it has not shown that.
        var taken: Duration?
        /// Whether the hub is known to be the same process as before the connection was lost, or another one.
        var isSameHub: Bool?
        /// Whether the agent went on while the hub made words of it.
        var isSpokenOver = false
        /// Whether it counts as lost by a hub that had it.
        var isCountedAsLost = false

        /// When a hub that does not tell whether it still makes words of it must be done with that.
        var settles: Duration {
            if isSameHub == false { return .zero }
            let longest = isSameHub == true ? taken.map { $0 + HubAnswers.recognition } : nil
            return max(since + HubAnswers.silence, longest ?? .zero)
        }
    }

    /// An answer that is not kept any more, though its words never came.
    package struct Loss: Sendable, Hashable {
        /// The answer that is lost.
        package let answer: Answer
        /// Whether the hub had it and could not make words of it.
        package let isUnheard: Bool
    }

    /// The most bytes that may wait for one session.
    package static let limitBytes = 64 << 20
    /// The most answers that may wait for one session.
    package static let limitCount = 256
    /// The time that the hub may be silent after an answer has arrived. The time until it arrives is the connection's
    /// matter.
    package static let silence = Duration.seconds(30)
    /// The longest that a hub tries to make words of an answer: three times 30 seconds, and the pauses between.
    package static let recognition = Duration.seconds(95)

    private var waiting = Deque<Answer>()
    private var bytes = 0
    private var sent: Sent?
    /// The times that a hub had the first answer, and lost it.
    private var losses = 0
    /// Whether the hub takes an answer now.
    package private(set) var isInvited = false

    /// Whether the hub may still be turning an answer into text while it already counts as idle: nothing is known
    /// before the time for that is over.
    package var isPatient = false
    /// Whether the history was asked for since the time for that is over.
    var isSettling = false
    private var isInvitedMeanwhile = false

    /// Nothing said.
    package init() {}

    /// Whether no answer waits, is on its way, or is being transcribed.
    package var isEmpty: Bool { waiting.isEmpty }
    /// The number of answers that the hub does not have for certain, without the one that it transcribes.
    package var count: Int { waiting.count - (isTranscribing ? 1 : 0) }
    /// Whether the hub makes words of an answer, which is kept until they are there.
    package var isTranscribing: Bool { sent?.stage == .transcribing }
    /// All answers that are kept, oldest first.
    /// (An array made of an empty deque writes to the empty array that all threads share.)
    var all: [Answer] { waiting.isEmpty ? [] : Array(waiting) }
    /// Whether an answer was sent and the hub has shown nothing yet.
    package var isOnItsWay: Bool { sent?.stage == .onItsWay }
    /// Whether only the history can tell if the hub has the answer.
    package var needsHistory: Bool { sent?.stage == .uncertain }
    /// The number of the answer that was sent, and is not known to be there.
    var sentNumber: Int? { sent == nil ? nil : waiting.first?.number }
    /// When the hub was silent for too long, or the history can tell.
    package var deadline: Duration? {
        guard let sent else { return nil }
        switch sent.stage {
        case .onItsWay: return sent.hasArrived ? sent.since + Self.silence : nil
        case .uncertain: return isPatient && !isSettling ? sent.settles : nil
        case .transcribing: return isSettling ? nil : failure
        case .missing: return nil
        }
    }
    /// When an answer was not understood, since the agent went on without its words: an agent of a hub with states may
    /// do so while they are still being made, but a hub does not try for ever.
    private var failure: Duration? {
        guard isPatient, let sent, sent.isSpokenOver, let taken = sent.taken else { return nil }
        return taken + Self.recognition
    }
    /// Whether the history is to be asked again if it was not told: only it shows what became of an answer.
    var awaitsHistory: Bool { needsHistory || isTranscribing && isSettling }

    /// Keeps an answer.
    ///
    /// - Throws: ``HubError`` with `answersFull` where too much waits: that one is not kept.
    package mutating func add(_ answer: Answer) throws(HubError) {
        try check(answer.content)
        bytes += answer.content.bytes
        waiting.append(answer)
    }

    /// Whether an answer can be kept.
    ///
    /// - Throws: ``HubError`` with `answersFull` where too much waits.
    func check(_ content: Content) throws(HubError) {
        guard waiting.count >= Self.limitCount || bytes + content.bytes > Self.limitBytes else { return }
        let message = "Too many answers wait for the hub; this one was not taken. Check the connection."
        throw HubError(.answersFull, message, recovery: .checkNetwork)
    }

    /// The hub listens. What it says right behind an answer was said before it had it, and counts for nothing.
    ///
    /// - Returns: Whether it takes an answer now.
    package mutating func invite() -> Bool {
        switch sent?.stage {
        case .onItsWay: return false
        case .transcribing:
            // A hub without states listens when it is done with the answer before: its words would have come.
            if !isPatient { sent?.stage = .uncertain }
            isInvitedMeanwhile = true
            return false
        case .uncertain:
            isInvitedMeanwhile = true
            return false
        case .missing, nil:
            isInvited = true
            return true
        }
    }

    /// The hub does not listen.
    package mutating func withdraw() { (isInvited, isInvitedMeanwhile) = (false, false) }

    /// The next answer to send, where the hub takes one.
    ///
    /// - Parameters:
    ///   - mark: How far the history is now; `nil` where it is not known.
    ///   - words: How far it is with the person's own words; `nil` where that is not known.
    ///   - now: The time.
    /// - Returns: The answer; `nil` where none waits, or the hub does not listen.
    package mutating func next(mark: Int?, words: Int? = nil, at now: Duration) -> Answer? {
        guard isInvited, let answer = waiting.first else { return nil }
        isInvited = false
        sent = Sent(mark: mark, words: words, since: now)
        isSettling = false
        return answer
    }

    /// All of an answer came to the hub's end of the connection: from now on the hub has to show something of it.
    ///
    /// - Returns: Whether the hub has gone on meanwhile, so that only the history can tell.
    package mutating func arrived(_ number: Int, at now: Duration) -> Bool {
        guard waiting.first?.number == number, sent?.stage == .onItsWay, sent?.hasArrived == false else { return false }
        sent?.hasArrived = true
        sent?.since = now
        guard sent?.isPassed == true else { return false }
        sent?.stage = .uncertain
        return true
    }

    /// Handles a hub that continues and has shown nothing of the answer: its words belong to something else, which it
    /// may have said before it had the answer.
    ///
    /// - Parameter mark: How far the history is, with what it said.
    /// - Returns: Whether only the history can tell now.
    package mutating func pass(mark: Int?) -> Bool {
        guard let known = sent else { return false }
        // Agents of hubs with states speak while an answer is being transcribed.
        if known.stage == .transcribing { return true }
        if known.stage == .onItsWay { sent?.isPassed = true }
        if sent?.isPassed == true { sent?.mark = mark }
        if known.stage == .missing || known.hasArrived { sent?.stage = .uncertain }
        return needsHistory
    }

    /// Nothing of an answer was sent.
    package mutating func notSent(_ number: Int) {
        guard waiting.first?.number == number, sent != nil else { return }
        sent = nil
    }

    /// An answer can never be sent: it is not kept.
    package mutating func drop(_ number: Int) {
        if waiting.first?.number == number { confirm() }
    }

    /// The hub begins to make words of the answer, or says that it still does.
    package mutating func transcribe(at now: Duration) {
        guard sent != nil else { return }
        if !isTranscribing { isSettling = false }
        sent?.stage = .transcribing
        sent?.hasArrived = true
        if sent?.taken == nil { sent?.taken = now }
        isInvitedMeanwhile = false
    }

    /// The hub tells the words of the answer, or that there are none in it.
    package mutating func confirm() {
        guard sent != nil else { return }
        _ = remove()
    }

    /// The agent got something else than words of the answer: recognition failed.
    ///
    /// - Returns: The answer, which is not kept any more; `nil` if the hub does not transcribe one, or its agents also
    ///   speak meanwhile.
    mutating func fail() -> Answer? { isTranscribing && !isPatient ? remove() : nil }

    /// The agent says something.
    mutating func speakOver() { if isTranscribing { sent?.isSpokenOver = true } }

    /// Takes the first answer away.
    private mutating func remove() -> Answer? {
        sent = nil
        isInvitedMeanwhile = false
        losses = 0
        guard let answer = waiting.popFirst() else { return nil }
        bytes -= answer.content.bytes
        return answer
    }

    /// After a connection was lost, the hub is known to be the same process as before, or another one.
    ///
    /// - Returns: Whether the history is to be asked at once: what another process was doing has ended with it.
    mutating func recognize(sameHub isSame: Bool) -> Bool {
        guard needsHistory, sent?.isSameHub != isSame else { return false }
        sent?.isSameHub = isSame
        return !isSame
    }

    /// The connection was lost, or nothing came for too long.
    ///
    /// - Parameter now: The time, where it may still have arrived until now.
    package mutating func lose(at now: Duration? = nil) {
        withdraw()
        if let now, sent?.stage == .transcribing || sent?.stage == .onItsWay && sent?.hasArrived == false {
            sent?.since = now
        }
        sent?.isSameHub = nil
        isSettling = false
        // What the history did not have may be there by now, and its words told to nobody.
        sent?.stage = .uncertain
    }

    /// Nothing will tell whether the hub has the answer: it does not wait any more, nor is it sent again.
    ///
    /// - Returns: The answer.
    @discardableResult
    package mutating func giveUp() -> Answer? {
        guard needsHistory else { return nil }
        let isInvited = isInvitedMeanwhile
        let answer = remove()
        if isInvited { _ = invite() }
        return answer
    }

    /// Handles a history from the hub, which was asked for over the connection that is open.
    ///
    /// - Parameters:
    ///   - mark: How far the history is now.
    ///   - words: How far it is with the person's own words; `nil` where that is not known.
    ///   - lastIsUser: Whether the person's words are its end.
    ///   - now: The time.
    /// - Returns: The answer that is lost for certain, and is not sent again.
    @discardableResult
    package mutating func history(mark: Int, words: Int? = nil, lastIsUser: Bool, at now: Duration) -> Loss? {
        guard let sent, sent.stage != .onItsWay else { return nil }
        if sent.mark.map({ mark > $0 }) ?? lastIsUser {
            // The agent goes on, and nothing of what the person said is there.
            let isUnheard = sent.taken != nil && sent.words.map { $0 >= words ?? .max } ?? false
            if isUnheard, sent.stage == .transcribing { return nil }
            return remove().flatMap { isUnheard ? Loss(answer: $0, isUnheard: true) : nil }
        }
        if sent.stage == .transcribing, let failure, now >= failure {
            return remove().map { Loss(answer: $0, isUnheard: true) }
        }
        guard sent.stage == .uncertain, !isPatient || now >= sent.settles else { return nil }
        if sent.hasArrived, !sent.isCountedAsLost {
            self.sent?.isCountedAsLost = true
            losses += 1
        }
        let isInvited = isInvitedMeanwhile
        guard losses > 1 else {
            self.sent?.stage = .missing
            if isInvited { (self.isInvited, isInvitedMeanwhile) = (true, false) }
            return nil
        }
        let loss = remove().map { Loss(answer: $0, isUnheard: false) }
        if isInvited { _ = invite() }
        return loss
    }

    /// Takes back everything, as when the session has ended.
    package mutating func removeAll() { self = HubAnswers() }
}

extension HubErrorCode {
    /// Too many answers wait for the hub; the newest was not taken.
    public static let answersFull = HubError.Code(rawValue: "answersFull")
}
