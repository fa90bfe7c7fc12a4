// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: profiles: HostProfiles, tester: some HostTester
/// Sets up a host with a person, page by page: the ``OnboardingMachine`` with its stores, a tester and a key generator.
///
/// ```swift
/// let onboarding = try await Onboarding.start(with: profiles, tester: tester)
/// for await state in onboarding.updates() { show(state) }     // in a task of its own
/// await onboarding.send(.next)                               // from buttons
/// ```
///
/// A key is stored before the host is tested, and the test gets it from the store by its id, as every later connection
/// does: a test cannot pass with another key than the one that is used afterwards.
public actor Onboarding {
    private var machine: OnboardingMachine
    private nonisolated let source: StateSource<OnboardingState>
    private let profiles: HostProfiles
    private let tester: any HostTester
    private let makeKey: @Sendable () throws -> SSHPrivateKey
    /// The host that is set up again, where it is one.
    private let existing: HostProfile?
    private let id: RiffIdentifier
    /// The key that is used, and the one that is used again when it is given up.
    private var keyID: RiffIdentifier?
    private let keptKeyID: RiffIdentifier?
    private var test: Task<OnboardingMachine.Report, Never>?

    /// Whether a front end should begin with onboarding.
    ///
    /// - Throws: What the store throws.
    public static func isNeeded(_ settings: RiffSettings) async throws -> Bool {
        !(try await settings.snapshot()[.onboardingCompleted])
    }

    /// Onboarding of a new host, or again of one that is there.
    ///
    /// - Parameters:
    ///   - profiles: Where the host is stored in the end.
    ///   - tester: Who finds out whether it works.
    ///   - existing: The host that is set up again; its details and its key are what it begins with.
    ///   - makeKey: Makes a new key.
    /// - Returns: Onboarding at its first page.
    /// - Throws: What the store for secrets throws; a key that is missing or damaged is merely not offered.
    public static func start(
        with profiles: HostProfiles,
        tester: any HostTester,
        again existing: HostProfile? = nil,
        makeKey: @escaping @Sendable () throws -> SSHPrivateKey = { .makeEd25519(comment: "riff") }
    ) async throws -> Onboarding {
        var existingKey: SSHPublicKey?
        if let existing {
            do {
                existingKey = try await profiles.key(of: existing).publicKey
            } catch let error as CoreError
                where [.keyNotFound, .invalidKey, .keyUnsupported, .passphraseNeeded].contains(error.code)
            {
                // A new key is what helps.
            }
        }
        return Onboarding(profiles, tester, existing, existingKey, makeKey)
    }

    /// Onboarding once more, of the active host: what "run setup again" in the settings does. Until it is done,
    /// ``isNeeded(_:)`` says so.
    ///
    /// - Throws: What the stores throw.
    public static func again(with profiles: HostProfiles, tester: any HostTester) async throws -> Onboarding {
        try await profiles.settings.set(false, for: .onboardingCompleted)
        let active: HostProfile?
        do { active = try await profiles.active() } catch let error as CoreError
            where [.invalidHost, .invalidHostProfile].contains(error.code)
        {
            // Setting up again is how that is mended.
            active = nil
        }
        return try await start(with: profiles, tester: tester, again: active)
    }

    private init(
        _ profiles: HostProfiles,
        _ tester: any HostTester,
        _ existing: HostProfile?,
        _ existingKey: SSHPublicKey?,
        _ makeKey: @escaping @Sendable () throws -> SSHPrivateKey
    ) {
        self.profiles = profiles
        self.tester = tester
        self.existing = existing
        self.makeKey = makeKey
        id = existing?.id ?? .random()
        keptKeyID = existingKey == nil ? nil : existing?.keyID
        keyID = keptKeyID
        machine = OnboardingMachine(
            details: existing.map { HostDetails($0) } ?? HostDetails(),
            existingKey: existingKey
        )
        source = StateSource(machine.state)
    }

    deinit { test?.cancel() }

    /// What is shown now.
    public nonisolated var current: OnboardingState { source.current }

    /// What is shown now, then each change.
    public nonisolated func updates() -> AsyncStream<OnboardingState> { source.updates() }

    /// Takes what a person did, and returns when all that follows from it is done: after
    /// ``OnboardingMachine/Action/connect``, when the test is over. A cancelled task gives the test up.
    public func send(_ action: OnboardingMachine.Action) async {
        await perform(machine.handle(action))
    }

    // MARK: Effects

    private func perform(_ effects: [OnboardingMachine.Effect]) async {
        source.update(machine.state)
        for effect in effects {
            guard let report = await report(of: effect) else { continue }
            await perform(machine.handle(report))
        }
    }

    private func report(of effect: OnboardingMachine.Effect) async -> OnboardingMachine.Report? {
        switch effect {
        case .makeKey: return await storeKey { [makeKey] in try makeKey() }
        case .importKey(let pem, let passphrase):
            return await storeKey { try await KeyImport.read(pem, passphrase: passphrase, openedBy: tester) }
        case .discardKey:
            let discarded = keyID
            keyID = keptKeyID
            await discard(discarded)
            return nil
        case .test(let address, let user, let run):
            let task = Task { await tested(address, user, run) }
            test = task
            return await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        case .cancelTest:
            test?.cancel()
            return nil
        case .save(let address, let user): return await save(address, user)
        }
    }

    private func storeKey(_ key: () async throws -> SSHPrivateKey) async -> OnboardingMachine.Report {
        do {
            let key = try await key()
            guard let publicKey = key.publicKey else {
                let message = "The public half of this key cannot be read. Convert it with: ssh-keygen -p -f FILE"
                throw CoreError(.invalidKey, message, recovery: .keySettings)
            }
            let replaced = keyID
            keyID = try await profiles.addKey(key)
            await discard(replaced)
            return .keyReady(publicKey)
        } catch {
            return .keyFailed(Self.problem(error))
        }
    }

    /// Forgets a key that no host uses; one that stays behind does no harm.
    private func discard(_ id: RiffIdentifier?) async {
        guard let id else { return }
        try? await profiles.discardKey(id)
    }

    private func tested(_ address: HostAddress, _ user: String, _ run: Int) async -> OnboardingMachine.Report {
        do {
            guard let keyID else {
                throw CoreError(.keyNotFound, "There is no key yet. Make or import one.", recovery: .keySettings)
            }
            let profile = profile(address, user, keyID)
            let key = try await profiles.key(keyID)
            let progress = StateSource(HostReadiness())
            let readiness = try await withThrowingTaskGroup(of: HostReadiness?.self) { group in
                group.addTask { [tester] in
                    defer { progress.finish() }
                    return try await tester.test(profile, key: key, progress: progress)
                }
                group.addTask {
                    for await readiness in progress.updates() { await self.perform(.progress(readiness, run: run)) }
                    return nil
                }
                var answer: HostReadiness?
                for try await part in group { answer = part ?? answer }
                return answer
            }
            guard let readiness, !Task.isCancelled else { return .testCancelled(run: run) }
            return .tested(readiness, run: run)
        } catch is CancellationError {
            return .testCancelled(run: run)
        } catch {
            return .testFailed(Self.problem(error), run: run)
        }
    }

    private func perform(_ report: OnboardingMachine.Report) async { await perform(machine.handle(report)) }

    private func save(_ address: HostAddress, _ user: String) async -> OnboardingMachine.Report {
        do {
            guard let keyID else {
                throw CoreError(.keyNotFound, "There is no key yet. Make or import one.", recovery: .keySettings)
            }
            try await profiles.save(profile(address, user, keyID))
            try await profiles.activate(id)
            try await profiles.settings.set(true, for: .onboardingCompleted)
            if let old = existing?.keyID, old != keyID { await discard(old) }
            return .saved
        } catch {
            return .saveFailed(Self.problem(error))
        }
    }

    private func profile(_ address: HostAddress, _ user: String, _ keyID: RiffIdentifier) -> HostProfile {
        guard var profile = existing else { return HostProfile(id: id, address: address, user: user, keyID: keyID) }
        if profile.label == profile.address.name { profile.label = address.name }
        profile.address = address
        profile.user = user
        profile.keyID = keyID
        return profile
    }

    private static func problem(_ error: any Error) -> any RiffError {
        let problem = error.asRiffError
        guard problem.stableCode == CoreError(.foreign, "").stableCode else { return problem }
        let message = "Setting up the host failed: \(problem.message) Try again."
        return CoreError(.onboardingFailed, message, recovery: .retry, cause: error)
    }
}

extension CoreErrorCode {
    /// A store, a tester or a key generator failed in a way of its own; the cause says how.
    public static let onboardingFailed = CoreError.Code(rawValue: "onboardingFailed")
}
