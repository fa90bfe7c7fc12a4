// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport
internal import Synchronization

/// A source whose audio comes from the program: a clip already there, or frames pushed as they are made.
///
/// It records once: start it, stop it, make a new one.
public final class MemoryAudioSource: AudioSource {
    private let format: AudioFormat
    private let startFailure: (any Error)?
    private let stream: ByteStream
    private let writer: ByteStream.Writer
    private let preloaded: [UInt8]
    private let aligner: Mutex<FrameAligner>
    private let isFinite: Bool

    /// A source that goes on until ``finish(throwing:)`` or ``stop()``; give it frames with ``push(_:)``.
    ///
    /// - Parameters:
    ///   - format: What the frames are.
    ///   - startFailure: What `start` throws instead of starting, such as a missing permission.
    public init(format: AudioFormat = .speech, startFailure: (any Error)? = nil) {
        (stream, writer) = ByteStream.makeStream()
        self.format = format
        self.startFailure = startFailure
        preloaded = []
        isFinite = false
        aligner = Mutex(FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame)))
    }

    /// A source that gives these frames and ends.
    public init(_ frames: [UInt8], format: AudioFormat = .speech) {
        // All of it may wait: the bytes are held already.
        (stream, writer) = ByteStream.makeStream(bufferedBytes: frames.count + 1)
        self.format = format
        startFailure = nil
        preloaded = frames
        isFinite = true
        aligner = Mutex(FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame)))
    }

    /// Gives frames to the consumer; suspends while it is 256 KB behind.
    ///
    /// - Throws: `TransportError` with `closed` after the end; `CancellationError`.
    public func push(_ frames: [UInt8]) async throws { try await writer.write(frames) }

    /// Ends the audio, as a source that has no more or, with a failure, as a capture that broke.
    public func finish(throwing failure: (any Error)? = nil) { writer.finish(throwing: failure) }

    /// Starts; throws the failure that the source was made with.
    public func start() async throws -> AudioFormat {
        if let startFailure { throw startFailure }
        if isFinite {
            try await writer.write(preloaded)
            writer.finish()
        }
        return format
    }

    /// What was given, in order.
    public var frames: any AsyncSequence<[UInt8], any Error> & Sendable {
        let stream = stream
        return PulledFrames {
            // A new iterator each time is the same one: the bytes are in the pipe.
            var iterator = stream.makeAsyncIterator()
            while let bytes = try await iterator.next() {
                let whole = self.aligner.withLock { $0.align(bytes) }
                if !whole.isEmpty { return whole }
            }
            return nil
        }
    }

    /// Ends the audio after what was given.
    public func stop() async { writer.finish() }
}
