// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// A source whose audio comes from the program: a clip already there, or frames pushed as they are made, such as by the
/// tap of a platform's audio engine.
///
/// It records once: start it, stop it, make a new one.
public final class MemoryAudioSource: AudioSource {
    fileprivate struct State {
        var isStarted = false
        var aligner: FrameAligner
        /// Bytes pushed, bytes given, and the places among them where the format changes.
        var pushed = 0
        var given = 0
        var changes: [(place: Int, format: AudioFormat)] = []
        /// Read from the stream, not given yet.
        var pending: [UInt8] = []
    }

    private let format: AudioFormat
    private let startFailure: (any Error)?
    private let stream: ByteStream
    private let writer: ByteStream.Writer
    private let preloaded: [UInt8]?
    private let state: Mutex<State>

    /// Creates a source that continues until ``finish(throwing:)`` or ``stop()``; give it frames with ``push(_:)``.
    ///
    /// - Parameters:
    ///   - format: What the frames are.
    ///   - startFailure: What `start` throws instead of starting, such as a missing permission.
    public init(format: AudioFormat = .speech, startFailure: (any Error)? = nil) {
        (stream, writer) = ByteStream.makeStream()
        self.format = format
        self.startFailure = startFailure
        preloaded = nil
        state = Mutex(State(aligner: FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame))))
    }

    /// A source that gives these frames and ends.
    public init(_ frames: [UInt8], format: AudioFormat = .speech) {
        // All of it may wait: the bytes are held already.
        (stream, writer) = ByteStream.makeStream(bufferedBytes: frames.count + 1)
        self.format = format
        startFailure = nil
        preloaded = frames
        state = Mutex(State(aligner: FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame))))
    }

    /// Gives frames to the consumer; suspends while it is 256 KB behind.
    ///
    /// - Throws: `TransportError` with `closed` after the end; `CancellationError`.
    public func push(_ frames: [UInt8]) async throws {
        try await writer.write(frames)
        state.withLock { $0.pushed += frames.count }
    }

    /// Tells the consumer that what is pushed from now on has another format; call it when the push before it has
    /// returned. A frame that was cut before it is dropped.
    public func changeFormat(to format: AudioFormat) { state.withLock { $0.changes.append(($0.pushed, format)) } }

    /// Ends the audio, as a source that has no more or, with a failure, as a capture that broke.
    public func finish(throwing failure: (any Error)? = nil) { writer.finish(throwing: failure) }

    /// Starts; throws the failure that the source was made with, and ``VoiceError`` with `audioSourceFailed` when it
    /// was started before.
    public func start() async throws -> AudioFormat {
        if let startFailure { throw startFailure }
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else {
            throw VoiceError(.audioSourceFailed, "This source was started before; make a new one for a new recording.")
        }
        if let preloaded {
            try await push(preloaded)
            writer.finish()
        }
        return format
    }

    /// The frames that were given, in order.
    public var frames: any AsyncSequence<[UInt8], any Error> & Sendable {
        Self.framesOfOneFormat(PulledSequence { try await self.next() })
    }

    /// The frames that were given, and each change of their format in its place.
    public var events: any AsyncSequence<CaptureEvent, any Error> & Sendable {
        PulledSequence { try await self.next() }
    }

    /// Ends the audio after what was given.
    public func stop() async { writer.finish() }

    private func next() async throws -> CaptureEvent? {
        while true {
            if let event = state.withLock({ $0.next() }) { return event }
            // A new iterator each time is the same one: the bytes are in the pipe.
            var iterator = stream.makeAsyncIterator()
            guard let bytes = try await iterator.next() else { return state.withLock { $0.next() } }
            state.withLock { $0.pending += bytes }
        }
    }
}

extension MemoryAudioSource.State {
    /// What is there to give; `nil` where more must be read first.
    fileprivate mutating func next() -> CaptureEvent? {
        while true {
            if let change = changes.first, change.place <= given {
                changes.removeFirst()
                aligner = FrameAligner(bytesPerFrame: max(1, change.format.bytesPerFrame))
                return .formatChanged(change.format)
            }
            guard !pending.isEmpty else { return nil }
            let part = pending.prefix(changes.first.map { $0.place - given } ?? pending.count)
            let whole = aligner.align(Array(part))
            given += part.count
            pending.removeFirst(part.count)
            if !whole.isEmpty { return .frames(whole) }
        }
    }
}
