// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

// sample: microphone: some AudioSource
/// Another source in one format, whatever its device has and changes to while it captures.
///
/// ```swift
/// let speech = ConvertedAudioSource(microphone)      // 16 kHz, mono, also after a headset was plugged in
/// ```
///
/// It records once, as the source does.
public final class ConvertedAudioSource: AudioSource {
    private let source: any AudioSource
    private let format: AudioFormat
    private let converter = Mutex<CaptureConverter?>(nil)

    /// A source in this format.
    public init(_ source: any AudioSource, to format: AudioFormat = .speech) {
        self.source = source
        self.format = format
    }

    /// The format that the device gives, as of the frames that were taken; `nil` before it was started.
    package var captured: AudioFormat? { converter.withLock { $0?.input } }

    /// Starts the source.
    ///
    /// - Returns: The format that all frames have.
    /// - Throws: What the source throws; ``VoiceError`` with `audioSourceHasNoFormat`; `CoreError` where its format
    ///   cannot be converted. The source is then released.
    public func start() async throws -> AudioFormat {
        let captured = try await source.start()
        do {
            try captured.checkCaptured()
            let new = try CaptureConverter(from: captured, to: format)
            converter.withLock { $0 = new }
        } catch {
            await source.stop()
            throw error
        }
        return format
    }

    /// Frames of the one format. Throws what the source throws, and ``VoiceError`` with `audioSourceHasNoFormat` or
    /// `CoreError` for a change to a format that cannot be converted, after all that came before it.
    public var frames: any AsyncSequence<[UInt8], any Error> & Sendable {
        ConvertedFrames(events: source.events) { event in
            if case .formatChanged(let changed) = event { try changed.checkCaptured() }
            return try self.converter.withLock { converter in
                guard let event else { return converter?.finish() ?? [] }
                guard let frames = try converter?.convert(event) else {
                    throw VoiceError(.audioSourceFailed, "An audio source gives no audio before it is started.")
                }
                return frames
            }
        }
    }

    /// Ends the source; ``frames`` ends after what was already captured.
    public func stop() async { await source.stop() }
}

/// A capture's frames in one format: what the converter still holds comes before the end, and before what broke it.
private struct ConvertedFrames: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let events: any AsyncSequence<CaptureEvent, any Error> & Sendable
    /// Converts an event; `nil` gives the rest.
    let convert: @Sendable (CaptureEvent?) throws -> [UInt8]

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: any AsyncIteratorProtocol<CaptureEvent, any Error>
        fileprivate let convert: @Sendable (CaptureEvent?) throws -> [UInt8]
        private var isAtEnd = false
        private var failure: (any Error)?

        fileprivate init(
            _ events: any AsyncIteratorProtocol<CaptureEvent, any Error>,
            _ convert: @escaping @Sendable (CaptureEvent?) throws -> [UInt8]
        ) {
            self.events = events
            self.convert = convert
        }

        mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            while !isAtEnd {
                do {
                    guard let event = try await events.next(isolation: actor) else {
                        isAtEnd = true
                        break
                    }
                    let frames = try convert(event)
                    if !frames.isEmpty { return frames }
                } catch is CancellationError where Task.isCancelled {
                    // The source goes on: whoever iterates may come back.
                    throw CancellationError()
                } catch {
                    (isAtEnd, failure) = (true, error)
                }
            }
            let rest = try convert(nil)
            if !rest.isEmpty { return rest }
            defer { failure = nil }
            if let failure { throw failure }
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(events.makeAsyncIterator(), convert) }
}
