// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of setting up a host: which page follows which, what must be there before the next, and what a failure
/// leads back to. Events in, effects out; it does nothing itself.
///
/// The owner performs the effects and reports each ``Effect/makeKey``, ``Effect/importKey(_:passphrase:)``,
/// ``Effect/test(_:_:run:)`` and ``Effect/save(_:_:)`` with one of the reports. A report that does not fit the state,
/// such as that of a test that was given up, changes nothing.
public struct OnboardingMachine: Sendable {
    /// An action of the person.
    public enum Action: Sendable {
        /// To the next page, as far as this one is complete.
        case next
        /// To the page before.
        case back
        /// Past what a person with a running set-up knows: with a new key, or the one there is, to its authorization.
        case quickSetup
        /// The answer of ``OnboardingStep/keyChoice``.
        case choose(KeyChoice)
        /// The key that the person brings.
        case importKey(Secret, passphrase: Secret?)
        /// The form changed.
        case edit(HostDetails)
        /// Test the host; also again after a failure.
        case connect
        /// From the beginning; a key that was made or brought is forgotten.
        case reset
    }

    /// The outcome of an effect.
    public enum Report: Sendable {
        /// A key is stored.
        case keyReady(SSHPublicKey)
        /// No key could be made, read or stored.
        case keyFailed(any RiffError)
        /// The test of this number got further.
        case progress(HostReadiness, run: Int)
        /// The test of this number is over.
        case tested(HostReadiness, run: Int)
        /// The test of this number could not be made.
        case testFailed(any RiffError, run: Int)
        /// The test of this number was cancelled from outside the machine.
        case testCancelled(run: Int)
        /// Everything is stored.
        case saved
        /// It could not be stored.
        case saveFailed(any RiffError)
    }

    /// An effect for the caller to carry out.
    public enum Effect: Sendable {
        /// Make a key and store it.
        case makeKey
        /// Read this key and store it.
        case importKey(Secret, passphrase: Secret?)
        /// Forget the key that was stored in this run, and use the one from before, if any.
        case discardKey
        /// Test the host with the stored key; the number comes back with its reports.
        case test(HostAddress, user: String, run: Int)
        /// Give up the test.
        case cancelTest
        /// Store the host and its settings, and that onboarding is done.
        case save(HostAddress, user: String)
    }

    /// What is shown.
    public private(set) var state: OnboardingState
    private let initialDetails: HostDetails
    private let existingKey: SSHPublicKey?
    private var run = 0
    private var isSaving = false

    /// Onboarding of a host.
    ///
    /// - Parameters:
    ///   - details: What the form begins with: those of a host that is set up again.
    ///   - existingKey: The public half of its key.
    package init(details: HostDetails = HostDetails(), existingKey: SSHPublicKey? = nil) {
        initialDetails = details
        self.existingKey = existingKey
        state = OnboardingState(details: details, existingKey: existingKey)
    }

    // MARK: Actions

    /// Takes what a person did; what does not fit the state changes nothing.
    ///
    /// - Returns: What to do, in order.
    public mutating func handle(_ action: Action) -> [Effect] {
        switch action {
        case .edit(let details): return edit(details)
        case .back: return back()
        case .reset: return reset()
        // While a person waits for something, only these three count.
        case .next, .quickSetup, .choose, .importKey, .connect: if state.isBusy { return [] }
        }
        switch action {
        case .next: return next()
        case .quickSetup where state.step == .requirements: return useKey(existingKey == nil ? .generate : .keep)
        case .choose(let choice) where state.step == .keyChoice: return useKey(choice)
        case .importKey(let pem, let passphrase) where state.step == .keyImport:
            begin()
            return [.importKey(pem, passphrase: passphrase)]
        case .connect where state.step == .connect: return connect()
        case .quickSetup, .choose, .importKey, .connect, .edit, .back, .reset: return []
        }
    }

    private mutating func next() -> [Effect] {
        switch state.step {
        case .requirements: go(to: .keyChoice)
        case .authorize where state.publicKey != nil: go(to: .details)
        case .details:
            state.invalidFields = state.details.problems
            if state.invalidFields.isEmpty { go(to: .connect) }
        case .keyChoice, .keyImport, .authorize, .connect, .done: break
        }
        return []
    }

    private mutating func back() -> [Effect] {
        // What is being stored cannot be taken back.
        guard !isSaving, !isMakingKey else { return [] }
        switch state.step {
        case .requirements, .done: return []
        case .keyChoice: go(to: .requirements)
        case .keyImport, .authorize: go(to: .keyChoice)
        case .details: go(to: .authorize)
        case .connect:
            let wasTesting = isTesting
            run += 1
            go(to: .details)
            return wasTesting ? [.cancelTest] : []
        }
        return []
    }

    private mutating func useKey(_ choice: KeyChoice) -> [Effect] {
        switch choice {
        case .generate:
            begin()
            return [.makeKey]
        case .bring: go(to: .keyImport)
        case .keep:
            guard state.canKeepKey else { return [] }
            let wasReplaced = state.publicKey != existingKey
            state.publicKey = existingKey
            go(to: .authorize)
            return wasReplaced ? [.discardKey] : []
        }
        return []
    }

    private mutating func edit(_ details: HostDetails) -> [Effect] {
        guard state.step == .details else { return [] }
        state.details = details
        // A mark goes away as soon as its reason does; none comes before the person tried to go on.
        let problems = details.problems
        state.invalidFields = state.invalidFields.filter { problems[$0.key] != nil }
        return []
    }

    private mutating func connect() -> [Effect] {
        guard state.publicKey != nil, let (address, user) = state.details.resolved else { return [] }
        begin()
        state.readiness = nil
        run += 1
        return [.test(address, user: user, run: run)]
    }

    private mutating func reset() -> [Effect] {
        // What is being stored, or is stored for good, cannot be taken back.
        guard !isSaving, !isMakingKey, state.step != .done else { return [] }
        let wasTesting = isTesting
        let hadOtherKey = state.publicKey != existingKey
        run += 1
        state = OnboardingState(details: initialDetails, existingKey: existingKey)
        return (wasTesting ? [.cancelTest] : []) + (hadOtherKey ? [.discardKey] : [])
    }

    // MARK: Reports

    /// Takes what came of an effect.
    ///
    /// - Returns: What to do, in order.
    public mutating func handle(_ report: Report) -> [Effect] {
        switch report {
        case .keyReady(let key) where isMakingKey:
            state.publicKey = key
            go(to: .authorize)
        case .keyFailed(let problem) where isMakingKey: fail(problem)
        case .progress(let readiness, run) where isTesting: state.readiness = readiness
        case .tested(let readiness, run) where isTesting:
            state.readiness = readiness
            guard readiness.isReady, let (address, user) = state.details.resolved else {
                fail(readiness.failure)
                return []
            }
            isSaving = true
            return [.save(address, user: user)]
        case .testFailed(let problem, run) where isTesting: fail(problem)
        case .testCancelled(run) where isTesting: fail(nil)
        case .saved where isSaving:
            isSaving = false
            go(to: .done)
        case .saveFailed(let problem) where isSaving:
            isSaving = false
            fail(problem)
        case .keyReady, .keyFailed, .progress, .tested, .testFailed, .testCancelled, .saved, .saveFailed: break
        }
        return []
    }

    private var isTesting: Bool { state.step == .connect && state.isBusy && !isSaving }
    private var isMakingKey: Bool { state.step < .authorize && state.isBusy }

    private mutating func go(to step: OnboardingStep) {
        state.step = step
        state.isBusy = false
        state.problem = nil
    }

    private mutating func begin() {
        state.isBusy = true
        state.problem = nil
    }

    private mutating func fail(_ problem: (any RiffError)?) {
        state.isBusy = false
        state.problem = problem
    }
}
