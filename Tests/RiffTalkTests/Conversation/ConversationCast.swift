// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization

/// Keeps what is typed.
actor TypedTexts: TextInjecting {
    private(set) var texts: [String] = []
    private var failure: (any Error)?

    func fail(_ failure: any Error) { self.failure = failure }

    func type(_ text: String, submit: Bool) async throws {
        if let failure { throw failure }
        texts.append(submit ? text + "\r" : text)
    }
}

/// Microphones and loudspeakers that are watched: how many are open, and whether both ever were at once.
final class WatchedAudio: Sendable {
    struct State {
        var microphones = 0
        var mostMicrophones = 0
        var voices = 0
        var hasOverlapped = false
        var sources: [MemoryAudioSource] = []
        var openings = 0

        mutating func look() {
            mostMicrophones = max(mostMicrophones, microphones)
            if microphones > 0, voices > 0 { hasOverlapped = true }
        }
    }

    let state = Mutex(State())

    func makeSource(format: AudioFormat = .speech) -> any AudioSource {
        let inner = MemoryAudioSource(format: format)
        state.withLock { $0.sources.append(inner) }
        return WatchedSource(inner, self)
    }

    func makeSink(_ sink: any AudioSink = MemoryAudioSink()) -> any AudioSink { WatchedSink(sink, self) }
}

actor WatchedSource: AudioSource {
    private let source: any AudioSource
    private let audio: WatchedAudio
    private var isOpen = false

    init(_ source: any AudioSource, _ audio: WatchedAudio) { (self.source, self.audio) = (source, audio) }

    func start() async throws -> AudioFormat {
        let format = try await source.start()
        isOpen = true
        audio.state.withLock { state in
            state.microphones += 1
            state.openings += 1
            state.look()
        }
        return format
    }

    nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable { source.frames }
    nonisolated var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { source.events }

    func stop() async {
        await source.stop()
        guard isOpen else { return }
        isOpen = false
        audio.state.withLock { $0.microphones -= 1 }
    }
}

actor WatchedSink: AudioSink {
    private let sink: any AudioSink
    private let audio: WatchedAudio
    private var isOpen = false

    init(_ sink: any AudioSink, _ audio: WatchedAudio) { (self.sink, self.audio) = (sink, audio) }

    func start(_ format: AudioFormat) async throws {
        try await sink.start(format)
        isOpen = true
        audio.state.withLock { state in
            state.voices += 1
            state.look()
        }
    }

    func write(_ frames: [UInt8]) async throws { try await sink.write(frames) }

    func finish() async throws {
        try await sink.finish()
        close()
    }

    func cancel() async {
        await sink.cancel()
        close()
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        audio.state.withLock { $0.voices -= 1 }
    }
}

/// A call that a test makes things happen to.
final class ScriptedCall: CallSession {
    private let events = Mutex<AsyncStream<CallEvent>.Continuation?>(nil)
    let ends = Mutex(0)
    private let failure: (any Error)?

    init(failure: (any Error)? = nil) { self.failure = failure }

    func begin() async throws -> AsyncStream<CallEvent> {
        if let failure { throw failure }
        let (stream, continuation) = AsyncStream<CallEvent>.makeStream()
        events.withLock { $0 = continuation }
        return stream
    }

    func happen(_ event: CallEvent) { events.withLock { _ = $0?.yield(event) } }

    func end() async { ends.withLock { $0 += 1 } }
}

/// A call whose end takes until a test lets it.
final class SlowlyEndingCall: CallSession {
    let isEnding = EventualValue<Void>()
    let mayEnd = EventualValue<Void>()

    func begin() async throws -> AsyncStream<CallEvent> { AsyncStream { _ in } }

    func end() async {
        isEnding.resolve(())
        await mayEnd.value()
    }
}

extension Conversation {
    /// Waits until it stands like this.
    func wait(_ isThere: @Sendable (ConversationSnapshot) -> Bool) async throws {
        for await snapshot in updates() where isThere(snapshot) { return }
        throw CancellationError()
    }
}
