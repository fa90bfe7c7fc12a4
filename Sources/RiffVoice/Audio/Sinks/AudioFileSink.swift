// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A sink that writes a WAV or CAF file, which plays up to the last write also when the process dies.
///
/// It writes once: start it, finish or cancel it, make a new one.
public actor AudioFileSink: AudioSink {
    /// The kind of file.
    public enum Container: Sendable, Hashable {
        /// WAV, up to 4 GiB.
        case wav
        /// Core Audio, of any length; mono or stereo.
        case caf
    }

    private let executor = BlockingExecutor(label: "riff.voice.audio-file")
    /// Writing a file blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private let container: Container
    private var wav: WAVFileWriter?
    private var caf: CAFFileWriter?
    private var isStarted = false
    private var isCancelled = false
    private var isFinished = false

    /// A sink; the file is made by `start`, and must not be there.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - container: Its kind.
    public init(_ path: String, as container: Container = .wav) {
        self.path = path
        self.container = container
    }

    /// Makes the file. Throws ``VoiceError`` with `audioSinkFailed` when started twice, `audioSinkHasNoFormat`;
    /// `CoreError` where the file cannot be made.
    public func start(_ format: AudioFormat) async throws {
        guard !isStarted, !isCancelled else {
            throw VoiceError(.audioSinkFailed, "\(path) was started before; make a new sink for another file.")
        }
        try format.checkPlayable()
        switch container {
        case .wav: wav = try WAVFileWriter(path: path, format: format)
        case .caf: caf = try CAFFileWriter(path: path, format: format)
        }
        isStarted = true
    }

    /// Writes frames. Throws ``VoiceError`` with `audioSinkFailed` outside of a playback, `CoreError` as the writers do
    /// (a full disk, a cut frame), `CancellationError` after ``cancel()``.
    public func write(_ frames: [UInt8]) async throws {
        try check()
        try wav?.append(frames)
        try caf?.append(frames)
    }

    /// Brings the file to the disk.
    public func finish() async throws {
        try check()
        try wav?.finish()
        try caf?.finish()
        isFinished = true
    }

    /// Closes the file with what was written.
    public func cancel() async {
        isCancelled = true
        wav = nil
        caf = nil
    }

    private func check() throws {
        if isCancelled { throw CancellationError() }
        guard isStarted, !isFinished else {
            throw VoiceError(.audioSinkFailed, "\(path) takes no audio before it is started, and none after its end.")
        }
    }
}
