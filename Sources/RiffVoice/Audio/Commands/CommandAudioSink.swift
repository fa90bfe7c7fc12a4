// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample:
/// A sink that writes to a command's standard input, such as `aplay`, `ffplay` or an encoder.
///
/// ```swift
/// let loudspeaker = CommandAudioSink { .aplay($0) }
/// ```
///
/// What the command writes to its standard output is read at the end only, and dropped. It plays once: start it, finish
/// or cancel it, make a new one.
public actor CommandAudioSink: AudioSink {
    private let name: String
    private let usesDevice: Bool
    private let clock: any Clock<Duration>
    private let open: @Sendable (AudioFormat) async throws -> (channel: any ByteChannel, header: [UInt8])
    private var channel: (any ByteChannel)?
    private var format: AudioFormat?
    private var isStarted = false
    private var isCancelled = false
    private var isFinished = false

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - name: What the command is called in messages, such as its first word.
    ///   - clock: Measures how long a command that takes no more audio is waited for, to hear why.
    ///   - open: Starts the command for frames of this format; called once, by `start`.
    public init(
        _ name: String,
        clock: any Clock<Duration> = ContinuousClock(),
        open: @escaping @Sendable (AudioFormat) async throws -> any ByteChannel
    ) {
        self.name = name
        self.clock = clock
        usesDevice = true
        self.open = { (try await open($0), []) }
    }

    /// A sink that starts a program of this machine.
    ///
    /// - Parameters:
    ///   - clock: Measures how long a command that takes no more audio is waited for, to hear why.
    ///   - command: What to start for frames of a format.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        _ command: @escaping @Sendable (AudioFormat) -> AudioCommand
    ) {
        self.clock = clock
        let example = command(.speech)
        (name, usesDevice) = (example.program, example.usesDevice)
        open = { format in
            let command = command(format)
            let header = command.form == .wav ? try WAVHeader.bytes(of: format, dataBytes: nil) : []
            return (try await command.start(), header)
        }
    }

    /// Starts the command. Throws what starting it throws; ``VoiceError`` with `audioSinkFailed` when started twice,
    /// `audioSinkHasNoFormat` for a format without frames.
    public func start(_ format: AudioFormat) async throws {
        guard !isStarted, !isCancelled else {
            throw VoiceError(.audioSinkFailed, "\(name) was started before; make a new sink for what comes next.")
        }
        try format.checkPlayable()
        isStarted = true
        let (channel, header) = try await open(format)
        // The actor was free while the command started.
        guard !isCancelled else {
            await channel.close()
            throw CancellationError()
        }
        (self.channel, self.format) = (channel, format)
        if !header.isEmpty { try await send(header, to: channel) }
    }

    /// Gives frames to the command; suspends while it does not take them. Throws ``VoiceError`` with `audioSinkFailed`,
    /// and what the command said, when it ended; `CancellationError`, also after ``cancel()``.
    public func write(_ frames: [UInt8]) async throws {
        if isCancelled { throw CancellationError() }
        guard let channel, let format, !isFinished else {
            throw VoiceError(.audioSinkFailed, "\(name) takes no audio before it is started, and none after its end.")
        }
        try format.checkWhole(frames)
        try await send(frames, to: channel)
    }

    /// Ends the command's input and waits until it has ended by itself. Throws as ``write(_:)`` does, and when the
    /// command ends with a status other than 0.
    public func finish() async throws {
        if isCancelled { throw CancellationError() }
        guard let channel, !isFinished else {
            throw VoiceError(.audioSinkFailed, "\(name) was not started, or has already ended.")
        }
        isFinished = true
        do {
            try await channel.finishWriting()
            // A command that cannot write goes on for ever.
            for try await _ in channel.output {}
            let exit = try await channel.exitStatus()
            if let exit, !exit.isSuccess, !isCancelled { throw await failure.error(exit, of: channel) }
        } catch let error as TransportError {
            guard !isCancelled else { throw CancellationError() }
            throw await lost(channel, error)
        }
        await channel.close()
        if isCancelled { throw CancellationError() }
    }

    /// Ends the command at once, and with it what it has not played.
    public func cancel() async {
        isCancelled = true
        await channel?.close()
    }

    private func send(_ bytes: [UInt8], to channel: any ByteChannel) async throws {
        do {
            try await channel.write(bytes)
        } catch let error as TransportError {
            if isCancelled { throw CancellationError() }
            throw await lost(channel, error)
        }
    }

    /// Why a command does not take its input any more: how it ended, where it did.
    private func lost(_ channel: any ByteChannel, _ error: TransportError) async -> any Error {
        do {
            // One that closed its input may go on without it.
            let exit = try await withDeadline(.seconds(2), clock: clock) { try await channel.exitStatus() }
            let failure = await failure.error(exit, of: channel)
            await channel.close()
            return isCancelled ? CancellationError() : failure
        } catch {
            await channel.close()
            if isCancelled { return CancellationError() }
            return VoiceError(.audioSinkFailed, "\(name) takes no more audio; \(advice).", cause: error)
        }
    }

    private var advice: String { usesDevice ? "check the playback device" : "check its output" }

    private var failure: CommandFailure {
        CommandFailure(name: name, code: .audioSinkFailed, advice: advice, recovery: nil)
    }
}
