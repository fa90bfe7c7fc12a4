// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of an answer that is kept fresh: what is read when, what is given up, and what is shown meanwhile. Events
/// in, effects out; it reads nothing itself, and time comes with each event.
///
/// - Another question gives up what is being read for the one before, and its answer.
/// - A change of the database while an answer is being read is followed by one more reading, not by giving it up: a
///   database that changes all the time is still shown.
/// - A reading that took long is not repeated before four times as long has passed, and a failed one is tried again
///   after 1, 2, 4, 8, 15 and then every 30 seconds; a person who asks does not wait for either.
package struct AnswerMachine<Question: Sendable & Hashable, Value: DatabaseAnswer>: Sendable {
    /// What is to be read.
    package enum Want: Sendable {
        /// The answer is read again, as much of it as is there.
        case fresh(Value?)
        /// The part after the answer is read.
        case more(Value)
    }

    package enum Event: Sendable {
        /// A person looks at this.
        case asked(Question)
        /// The answer is not looked at any more.
        case paused
        /// A person wants more of the answer, or all of it again.
        case wantedMore, refreshed
        /// The database was opened, for the first time or again.
        case opened
        /// It was looked at; the time of the day is in seconds since 1970.
        case looked(hasChanged: Bool, wallTime: Double)
        /// It cannot be opened or looked at.
        case lost(Problem)
        /// The outcome of a reading: a part, all of it, or nothing.
        case part(UInt64, Value)
        case answered(UInt64, Value)
        case failed(UInt64, Problem)
    }

    package enum Effect: Sendable {
        case load(UInt64, Question, Want)
        case cancel(UInt64)
    }

    private struct Reading: Sendable {
        let number: UInt64
        let isFresh: Bool
        let began: Duration
    }

    static var retries: [Int] { [1, 2, 4, 8, 15, 30] }

    private var question: Question?
    private var value: Value? {
        didSet { valueNumber += 1 }
    }
    private var valueNumber: UInt64 = 0
    private var reading: Reading?
    private var isOpen = false
    private var isPaused = false
    /// Whether the answer is to be read again, and whether more of it.
    private var isDue = false
    /// Whether a person asked for that while it could not begin: it then waits for nothing else.
    private var isWantedNow = false
    private var wantsMore = false
    /// Whether the database changed since the answer was read.
    private var isBehind = false
    private var failure: (Problem)?
    private var absence: (Problem)?
    private var failures = 0
    private var quietUntil = Duration.zero
    private var lastNumber: UInt64 = 0

    package init() {}

    /// The parts by which one answer is known from another, with a number in place of the value.
    package struct Look: Sendable, Equatable {
        var question: Question?
        var valueNumber: UInt64
        var isLoading: Bool
        var isStale: Bool
        var problem: Problem?
    }

    package var look: Look {
        let answer = answer
        return Look(
            question: answer.question,
            valueNumber: valueNumber,
            isLoading: answer.isLoading,
            isStale: answer.isStale,
            problem: answer.problem
        )
    }

    package var answer: HermesAnswer<Question, Value> {
        var answer = HermesAnswer<Question, Value>()
        answer.question = question
        answer.value = value
        answer.isLoading = reading != nil
        answer.isStale = value != nil && isBehind
        // While it cannot be reached, a reading fails because of that.
        answer.problem = absence ?? failure
        return answer
    }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: What happened; one that does not fit changes nothing.
    ///   - now: When, by a clock that only goes forward.
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .asked(let question): asked(question, now)
        case .paused: pause()
        case .wantedMore: wantMore(now)
        case .refreshed: refresh(now)
        case .opened: opened(now)
        case .looked(let hasChanged, let wallTime): looked(hasChanged, wallTime, now)
        case .lost(let problem): lost(problem)
        case .part(let number, let value): part(number, value)
        case .answered(let number, let value): answered(number, value, now)
        case .failed(let number, let problem): failed(number, problem, now)
        }
    }

    // MARK: What a person does

    private mutating func asked(_ question: Question, _ now: Duration) -> [Effect] {
        isWantedNow = isDue && (isPaused || isWantedNow)
        isPaused = false
        guard question != self.question else { return begin(now) }
        let effects = giveUp()
        self.question = question
        (value, failure, failures, quietUntil) = (nil, nil, 0, now)
        (isDue, wantsMore, isBehind) = (true, false, false)
        return effects + begin(now)
    }

    private mutating func pause() -> [Effect] {
        isPaused = true
        wantsMore = false
        return giveUp()
    }

    private mutating func wantMore(_ now: Duration) -> [Effect] {
        guard value?.hasMore == true else { return [] }
        wantsMore = true
        return begin(now)
    }

    private mutating func refresh(_ now: Duration) -> [Effect] {
        guard question != nil else { return [] }
        isDue = true
        isWantedNow = true
        return begin(now)
    }

    // MARK: The database

    private mutating func opened(_ now: Duration) -> [Effect] {
        isOpen = true
        // A failure was that of what was open before.
        (absence, failure) = (nil, nil)
        // What is being read is read of what was open before.
        let effects = giveUp()
        isDue = question != nil
        isBehind = value != nil
        quietUntil = now
        return effects + begin(now)
    }

    private mutating func looked(_ hasChanged: Bool, _ wallTime: Double, _ now: Duration) -> [Effect] {
        absence = nil
        if hasChanged || (value?.validUntil).map({ $0 <= wallTime }) == true {
            isDue = question != nil
            isBehind = true
        }
        return begin(now)
    }

    private mutating func lost(_ problem: Problem) -> [Effect] {
        absence = problem
        return []
    }

    // MARK: Readings

    private mutating func begin(_ now: Duration) -> [Effect] {
        guard isOpen, !isPaused, reading == nil, let question else { return [] }
        if isDue, isWantedNow || now >= quietUntil {
            isDue = false
            isWantedNow = false
            return [.load(start(isFresh: true, now), question, .fresh(value))]
        }
        if wantsMore, let value, value.hasMore {
            wantsMore = false
            return [.load(start(isFresh: false, now), question, .more(value))]
        }
        return []
    }

    private mutating func start(isFresh: Bool, _ now: Duration) -> UInt64 {
        lastNumber += 1
        reading = Reading(number: lastNumber, isFresh: isFresh, began: now)
        return lastNumber
    }

    private mutating func giveUp() -> [Effect] {
        guard let reading else { return [] }
        self.reading = nil
        if reading.isFresh { isDue = true }
        return [.cancel(reading.number)]
    }

    private mutating func part(_ number: UInt64, _ value: Value) -> [Effect] {
        if reading?.number == number { self.value = value }
        return []
    }

    private mutating func answered(_ number: UInt64, _ value: Value, _ now: Duration) -> [Effect] {
        guard let reading, reading.number == number else { return [] }
        self.reading = nil
        self.value = value
        (failure, failures) = (nil, 0)
        if reading.isFresh {
            isBehind = isDue
            quietUntil = now + min((now - reading.began) * 4, .seconds(60))
        }
        return begin(now)
    }

    private mutating func failed(_ number: UInt64, _ problem: Problem, _ now: Duration) -> [Effect] {
        guard reading?.number == number else { return [] }
        reading = nil
        failure = problem
        quietUntil = now + .seconds(Self.retries[min(failures, Self.retries.count - 1)])
        failures += 1
        // Also after a failure to read more: a reading anew shows whether the database can be read.
        isDue = true
        wantsMore = false
        return begin(now)
    }
}
