// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: something that gives PCM audio, such as a microphone, a file or a command's pipe.
///
/// To the implementer: `start` begins the capture and returns the format that every following frame has; a format of
/// 0 Hz or 0 channels is an error to throw, never to return. `frames` is single-consumer, bounded, ends when the source
/// has no more or `stop` was called, and throws when the capture broke. `stop` may be called at any time, more than
/// once, and returns when the device is released. Cancelling the task that iterates stops nothing: `stop` does.
public protocol AudioSource: Sendable {
    /// Starts the capture. Throws a ``RiffError`` saying what was missing (permission, device, file).
    func start() async throws -> AudioFormat

    /// Whole frames in capture order, as interleaved little-endian bytes of the format that ``start()`` returned.
    var frames: any AsyncSequence<[UInt8], any Error> & Sendable { get }

    /// Ends the capture and releases the device; ``frames`` then ends after what was already captured.
    func stop() async
}

/// A seam: something that plays PCM audio, such as a loudspeaker, a file or a command's pipe.
///
/// To the implementer: `write` suspends while the device's buffer is full; `finish` returns when the last frame was
/// played; `cancel` drops what is queued and returns at once.
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
