// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: something that gives PCM audio, such as a microphone, a file or a command's pipe.
///
/// To the implementer: `start` begins the capture and returns the format of the frames that follow; a format of 0 Hz or
/// 0 channels is an error to throw, never to return. `frames` is single-consumer, bounded, ends when the source has no
/// more or `stop` was called, and throws when the capture broke. `stop` may be called at any time, more than once, and
/// returns when the device is released. Cancelling the task that iterates stops nothing: `stop` does. A source records
/// once: a second `start` throws.
///
/// A device whose format can change while it captures (another microphone, another route) also implements ``events``,
/// and takes its frames from them with ``framesOfOneFormat(_:)``.
public protocol AudioSource: Sendable {
    /// Starts the capture. Throws a ``RiffError`` saying what was missing (permission, device, file).
    func start() async throws -> AudioFormat

    /// Whole frames in capture order, as interleaved little-endian bytes of the format that ``start()`` returned.
    /// Throws ``CoreError`` with `audioFormatChanged` where the device went over to another one.
    var frames: any AsyncSequence<[UInt8], any Error> & Sendable { get }

    /// The same frames, and each change of their format in its place among them. One of ``frames`` and `events` is
    /// iterated, never both. Without an implementation of its own it is the frames.
    var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { get }

    /// Ends the capture and releases the device; ``frames`` then ends after what was already captured.
    func stop() async
}

/// An event of a capture, in order.
public enum CaptureEvent: Sendable, Hashable {
    /// Whole frames of the format that was last told.
    case frames([UInt8])
    /// The frames after this have another format: the person plugged in a headset, or the system changed the route.
    case formatChanged(AudioFormat)
}

extension AudioSource {
    /// The frames, for a source whose format stays what it is.
    public var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { Self.events(of: frames) }

    /// Returns the frames among a capture's events, for those who cannot follow a change: it ends theirs, with
    /// ``CoreError`` and `audioFormatChanged`, so that one rate is never played at another.
    package static func framesOfOneFormat(
        _ events: some AsyncSequence<CaptureEvent, any Error> & Sendable
    ) -> any AsyncSequence<[UInt8], any Error> & Sendable {
        events.map { event throws in
            switch event {
            case .frames(let frames): return frames
            case .formatChanged(let format):
                let message =
                    "The audio device went over to \(format.sampleRate) Hz and \(format.channels) channels; record again."
                throw CoreError(.audioFormatChanged, message, recovery: .retry)
            }
        }
    }

    private static func events(
        of frames: some AsyncSequence<[UInt8], any Error> & Sendable
    ) -> any AsyncSequence<CaptureEvent, any Error> & Sendable {
        frames.map { .frames($0) }
    }
}

extension CoreErrorCode {
    /// The audio device changed its format while it captured, and the listener could not follow.
    public static let audioFormatChanged = CoreError.Code(rawValue: "audioFormatChanged")
}

/// A seam: something that plays PCM audio, such as a loudspeaker, a file or a command's pipe.
///
/// To the implementer: it plays once; a second `start` throws, as does one for 0 Hz or 0 channels. `write` suspends
/// while the device's buffer is full, and throws for a cut frame, before the start and after the end. `finish` returns
/// when the last frame was played, and throws where the device failed before. `cancel` may be called at any time and
/// more than once, drops what is queued, and returns at once; a `write` or `finish` that it cuts short, and each after
/// it, throws `CancellationError`.
public protocol AudioSink: Sendable {
    /// Opens the device for frames of this format.
    func start(_ format: AudioFormat) async throws
    /// Queues whole frames; suspends while the device is full.
    func write(_ frames: [UInt8]) async throws
    /// Returns when everything written was played.
    func finish() async throws
    /// Drops what is queued and releases the device.
    func cancel() async
}
