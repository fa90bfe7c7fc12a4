// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A source that reads a WAV file: as fast as it is asked, or at the pace at which it was spoken.
///
/// It plays once: start it, stop it, make a new one.
public actor WAVFileSource: AudioSource {
    /// When the frames are given.
    public enum Pace: Sendable, Hashable {
        /// As soon as they are asked for.
        case unlimited
        /// Not before the moment, counted from the start, at which a microphone would have given them.
        case realTime
        /// The pace of `realTime`, with silence after the end until it is stopped: as a microphone hears a speaker who
        /// has finished.
        case realTimeThenSilence
    }

    private let executor = BlockingExecutor(label: "riff.voice.wav-file")
    /// Reading a file blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private let wanted: AudioFormat?
    private let chunk: Duration
    private let pace: Pace
    private let clock: any Clock<Duration>
    private var file: ReadOnlyFile?
    private var reader: WAVReader
    private var buffered: [UInt8] = []
    private var format: AudioFormat?
    private var given = 0
    private var pacer: Pacer?
    private var pause: Task<Void, any Error>?
    private var isStopped = false
    private var isAtEnd = false

    /// A source; the file is opened by `start`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: The format to convert to; `nil` keeps the file's.
    ///   - pace: When the frames are given.
    ///   - chunk: How much audio comes at a time.
    ///   - clock: What measures the pace.
    public init(
        _ path: String,
        format: AudioFormat? = .speech,
        pace: Pace = .unlimited,
        chunk: Duration = .milliseconds(20),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.path = path
        wanted = format
        reader = WAVReader(as: format)
        self.chunk = chunk
        self.pace = pace
        self.clock = clock
    }

    /// Opens the file and reads up to its first samples.
    ///
    /// - Throws: ``VoiceError`` with `fileFailed`, or `audioSourceFailed` when started twice; `CoreError` where it is
    ///   not a WAV file that can be read.
    public func start() async throws -> AudioFormat {
        guard file == nil, !isStopped else {
            throw VoiceError(.audioSourceFailed, "\(path) was started before; make a new source for a new recording.")
        }
        let file = try ReadOnlyFile(path)
        self.file = file
        while reader.format == nil, !isAtEnd { try fill(from: file) }
        guard let format = reader.format else {
            throw VoiceError(.audioSourceFailed, "\(path) ends before its first sample.")
        }
        self.format = format
        if pace != .unlimited { pacer = Pacer(clock) }
        return format
    }

    /// Frames in chunks of the length asked for; the last one may be shorter.
    public nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable {
        PulledSequence { try await self.next() }
    }

    /// Ends the frames and closes the file.
    public func stop() async {
        isStopped = true
        file = nil
        pause?.cancel()
    }

    private func next() async throws -> [UInt8]? {
        guard let format else {
            throw VoiceError(.audioSourceFailed, "\(path) gives no audio before it is started.")
        }
        let frames = Int(chunk / .microseconds(1)) * format.sampleRate / 1_000_000
        let size = max(1, frames) * format.bytesPerFrame
        while buffered.count < size, !isAtEnd, let file { try fill(from: file) }
        if isAtEnd, pace == .realTimeThenSilence {
            buffered += [UInt8](repeating: 0, count: max(0, size - buffered.count))
        }
        guard !isStopped, !buffered.isEmpty else { return nil }
        let chunk = Array(buffered.prefix(size))
        buffered.removeFirst(chunk.count)
        given += chunk.count / format.bytesPerFrame
        if let pacer {
            let due = Duration.seconds(1) * given / format.sampleRate
            let pause = Task { try await pacer.wait(until: due) }
            self.pause = pause
            do {
                try await withTaskCancellationHandler {
                    try await pause.value
                } onCancel: {
                    pause.cancel()
                }
            } catch  where isStopped {
                // Stopping ends the wait.
                return nil
            }
        }
        return isStopped ? nil : chunk
    }

    private func fill(from file: ReadOnlyFile) throws {
        let bytes = try file.read(upTo: 64 * 1024)
        if bytes.isEmpty {
            isAtEnd = true
            buffered += try reader.finish()
        } else {
            buffered += try reader.feed(bytes)
        }
    }
}

/// Waits until a time counted from its making, without drift.
private struct Pacer: Sendable {
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) { sleep = Pacer.sleep(on: clock) }

    func wait(until offset: Duration) async throws { try await sleep(offset) }

    private static func sleep<C: Clock<Duration>>(on clock: C) -> @Sendable (Duration) async throws -> Void {
        let origin = clock.now
        return { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }
}
