// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import RiffVoice
import Synchronization

/// A platform's audio session that notices what must never be: two owners, a capture or a sound without one, a session
/// that is given back under a capture.
final class WatchedPlatform: AudioSessionOwner {
    struct Refused: Error {}

    struct State {
        var isActive = false
        var isCalls = false
        /// Whether the system has the audio: in an interruption, and while a call takes it or gives it back. Whoever
        /// begins a capture then is refused.
        var isInterrupted = false
        /// Whether the system has ever interrupted it: its word comes late, so that an app may take an active session
        /// for one that was taken away, and make it active again, which does no harm.
        var wasInterrupted = false
        var captures = 0
        var sounds = 0
        var failuresToCome = 0
        var faults: [String] = []
        /// How often each thing was done, so that a test sees that it reached what it is about.
        var counts: [String: Int] = [:]
        var readers: [AsyncStream<AudioSessionEvent>.Continuation] = []

        /// What must not be, after the end of everything.
        var fault: String? {
            if !faults.isEmpty { return "\(faults)" }
            let isLeft = isActive || isCalls || captures != 0 || sounds != 0
            return isLeft ? "left: active \(isActive), a call \(isCalls), \(captures) captures, \(sounds) sounds" : nil
        }

        mutating func count(_ what: String) { counts[what, default: 0] += 1 }
    }

    let state = Mutex(State())

    func activate() async throws {
        await Task.yield()
        try state.withLock { state in
            state.count("activate")
            if state.isCalls { state.faults.append("activated under a call") }
            if state.isActive, !state.wasInterrupted { state.faults.append("activated twice") }
            if state.failuresToCome > 0 {
                state.failuresToCome -= 1
                throw Refused()
            }
            (state.isActive, state.isInterrupted) = (true, false)
        }
        await Task.yield()
    }

    func deactivate() async throws {
        await Task.yield()
        state.withLock { state in
            state.count("deactivate")
            if state.isCalls { state.faults.append("given back under a call") }
            if state.isActive, state.captures + state.sounds > 0 { state.faults.append("given back under a capture") }
            state.isActive = false
        }
    }

    func events() -> AsyncStream<AudioSessionEvent> {
        let (stream, reader) = AsyncStream<AudioSessionEvent>.makeStream()
        state.withLock { $0.readers.append(reader) }
        return stream
    }

    func happen(_ event: AudioSessionEvent) {
        let readers = state.withLock { state in
            state.count("\(event)")
            if case .interrupted = event {
                (state.isActive, state.isInterrupted, state.wasInterrupted) = (false, true, true)
            }
            return state.readers
        }
        for reader in readers { reader.yield(event) }
    }

    /// A device begins to capture or to play; it cannot while the system has the audio.
    func begin(_ kind: WritableKeyPath<State, Int>, _ name: String) throws {
        try state.withLock { state in
            if !state.isActive, !state.isCalls {
                guard state.isInterrupted else {
                    state.faults.append("\(name) without an owner")
                    return
                }
                throw Refused()
            }
            state.count(name)
            state[keyPath: kind] += 1
            if state.captures > 1 { state.faults.append("two captures") }
        }
    }

    func end(_ kind: WritableKeyPath<State, Int>) { state.withLock { $0[keyPath: kind] -= 1 } }
}

/// A microphone on a watched platform.
actor WatchedMicrophone: AudioSource {
    nonisolated let inner = MemoryAudioSource()
    private let platform: WatchedPlatform
    private var isOpen = false
    private var isStopped = false

    init(_ platform: WatchedPlatform) { self.platform = platform }

    func start() async throws -> AudioFormat {
        let format = try await inner.start()
        if isStopped { throw CancellationError() }
        try platform.begin(\.captures, "capture")
        isOpen = true
        return format
    }

    nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable { inner.frames }
    nonisolated var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { inner.events }

    func stop() async {
        isStopped = true
        if isOpen {
            isOpen = false
            platform.end(\.captures)
        }
        await inner.stop()
    }
}

/// A loudspeaker on a watched platform: a sound takes some turns of the executor.
actor WatchedLoudspeaker: AudioSink {
    private let platform: WatchedPlatform
    private var isOpen = false
    private var isOver = false

    init(_ platform: WatchedPlatform) { self.platform = platform }

    func start(_ format: AudioFormat) async throws {
        if isOver { throw CancellationError() }
        try platform.begin(\.sounds, "sound")
        isOpen = true
    }

    func write(_ frames: [UInt8]) async throws {
        for _ in 0..<8 {
            if isOver { throw CancellationError() }
            await Task.yield()
        }
    }

    func finish() async throws {
        if isOver { throw CancellationError() }
        close()
    }

    func cancel() async {
        isOver = true
        close()
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        platform.end(\.sounds)
    }
}

/// A call that owns the audio while it lasts, as the system's does.
final class OwningCall: CallSession {
    private let platform: WatchedPlatform
    private let audio: SharedAudioSession
    private let events = Mutex<AsyncStream<CallEvent>.Continuation?>(nil)
    private let claim = Mutex<SharedAudioSession.CallClaim?>(nil)

    init(_ platform: WatchedPlatform, _ audio: SharedAudioSession) { (self.platform, self.audio) = (platform, audio) }

    var runsInBackground: Bool { true }

    func begin() async throws -> AsyncStream<CallEvent> {
        platform.state.withLock { $0.isInterrupted = true }
        let claim = await audio.claimForCall()
        platform.state.withLock { state in
            state.count("call")
            if state.isCalls { state.faults.append("two calls") }
            (state.isActive, state.isCalls, state.isInterrupted) = (false, true, false)
        }
        self.claim.withLock { $0 = claim }
        let (stream, continuation) = AsyncStream<CallEvent>.makeStream()
        events.withLock { $0 = continuation }
        return stream
    }

    func happen(_ event: CallEvent) {
        events.withLock { $0 }?.yield(event)
        guard event == .ended else { return }
        let claim = self.claim.withLock { $0.take() }
        guard let claim else { return }
        platform.state.withLock { ($0.isCalls, $0.isInterrupted) = (false, true) }
        // The system ends a call by itself; whoever still needs the audio gets it.
        Task { try? await claim.release() }
    }

    func end() async {
        let claim = self.claim.withLock { $0.take() }
        guard let claim else { return }
        platform.state.withLock { ($0.isCalls, $0.isInterrupted) = (false, true) }
        try? await claim.release()
    }
}
