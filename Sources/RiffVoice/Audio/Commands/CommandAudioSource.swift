// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample:
/// A source that reads raw PCM from a command's standard output, such as
/// `arecord -q -t raw -f S16_LE -r 16000 -c 1` or `pw-record --format s16 --rate 16000 --channels 1 -`.
///
/// ```swift
/// let microphone = CommandAudioSource(.arecord())
/// let film = CommandAudioSource(.ffmpeg(decoding: "film.mkv"))
/// ```
///
/// It records once: start it, stop it, make a new one.
public actor CommandAudioSource: AudioSource {
    private let format: AudioFormat
    private let failure: CommandFailure
    private let open: @Sendable () async throws -> any ByteChannel
    private var channel: (any ByteChannel)?
    private var aligner: FrameAligner
    private var isStopped = false

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: What the command is called in messages, such as its first word.
    ///   - format: What the command was told to write; it is not checked, raw samples do not say what they are.
    ///   - open: Starts the command; called once, by `start`.
    public init(
        _ name: String,
        format: AudioFormat = .speech,
        open: @escaping @Sendable () async throws -> any ByteChannel
    ) {
        self.init(name, format: format, usesDevice: true, open: open)
    }

    /// A source that starts a program of this machine.
    ///
    /// - Parameter command: What to start, and what it writes; `start` throws where its form is not raw.
    public init(_ command: AudioCommand) {
        self.init(command.program, format: command.format, usesDevice: command.usesDevice) {
            guard command.form == .raw else {
                let message =
                    "\(command.program) is to write a file; a source takes samples alone. Read it with WAVReader."
                throw VoiceError(.audioSourceFailed, message)
            }
            return try await command.start()
        }
    }

    private init(
        _ name: String,
        format: AudioFormat,
        usesDevice: Bool,
        open: @escaping @Sendable () async throws -> any ByteChannel
    ) {
        failure = CommandFailure(
            name: name,
            code: .audioSourceFailed,
            advice: usesDevice ? "check the recording device" : "check its input",
            recovery: usesDevice ? .openSettings(.microphone) : nil
        )
        self.format = format
        self.open = open
        aligner = FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame))
    }

    private var name: String { failure.name }

    /// Starts the command. Throws what starting it throws; ``VoiceError`` with `audioSourceFailed` when started twice.
    public func start() async throws -> AudioFormat {
        guard channel == nil, !isStopped else {
            throw VoiceError(.audioSourceFailed, "\(name) was started before; make a new source for a new recording.")
        }
        let channel = try await open()
        // The actor was free while the command started.
        guard !isStopped, self.channel == nil else {
            await channel.close()
            throw CancellationError()
        }
        self.channel = channel
        return format
    }

    /// Whole frames as the command writes them. Throws ``VoiceError`` with `audioSourceFailed`, and what the command
    /// said, when it ends with a status other than 0 before it was stopped.
    public nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable {
        PulledSequence { try await self.next() }
    }

    /// Ends the command.
    public func stop() async {
        isStopped = true
        await channel?.close()
    }

    private func next() async throws -> [UInt8]? {
        guard let channel else {
            throw VoiceError(.audioSourceFailed, "\(name) gives no audio before it is started.")
        }
        var iterator = channel.output.makeAsyncIterator()
        do {
            while let bytes = try await iterator.next() {
                let whole = aligner.align(bytes)
                if !whole.isEmpty { return whole }
            }
        } catch  where isStopped && !(error is CancellationError) {
            // Ending the command on purpose may look like a loss from here.
            return nil
        }
        if isStopped { return nil }
        let exit = try await channel.exitStatus()
        if let exit, !exit.isSuccess, !isStopped { throw await failure.error(exit, of: channel) }
        return nil
    }
}
