// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
public import RiffVoice

/// A client of a ClawMux voice hub, of every generation up to 378cd2a: many agents, each with a voice.
///
/// ``withHub(_:http:webSockets:devices:configuration:clock:_:)`` begins and ends one. It keeps the connection by
/// itself, and is shown by ``updates()``.
///
/// What a person says reaches the hub once: a clip waits until the hub listens, and stays until its words are there.
/// One that the hub lost is sent once more, and is then in ``HubSnapshot/lostAnswers``. What an agent says is heard
/// when its session is open, however long that takes.
public actor HubClient {
    /// The behavior of a client.
    public struct Configuration: Sendable, Hashable {
        /// The time limits for REST calls.
        public var timing: HubService.Timing
        /// The delays before the client connects again.
        public var reconnect: ReconnectPolicy
        /// The most bytes of one message of the hub: a whole utterance in Base64.
        public var messageBytes: Int

        /// 1, 2, 4, 8 and then 15 seconds; 64 MiB; unless said otherwise.
        public init(
            timing: HubService.Timing = HubService.Timing(),
            reconnect: ReconnectPolicy = .standard,
            messageBytes: Int = 64 << 20
        ) {
            (self.timing, self.reconnect, self.messageBytes) = (timing, reconnect, messageBytes)
        }
    }

    /// The hub's REST interface.
    public nonisolated let service: HubService
    /// The level of the microphone; the newest eight are kept. Single-consumer.
    public nonisolated let levels: AsyncStream<AudioLevel>
    /// The curve of what the microphone hears, for an oscilloscope: 64 points from -1 to 1 for each 52 ms; the newest
    /// eight are kept. Single-consumer.
    public nonisolated let waveform: AsyncStream<[Float]>

    let webSockets: any WebSocketTransport
    let devices: HubDevices
    let configuration: Configuration
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let source: NewestStateSource<HubSnapshot>
    let levelReport: AsyncStream<AudioLevel>.Continuation
    let waveformReport: AsyncStream<[Float]>.Continuation
    let tasks = OwnedTasks()
    var machine: HubMachine
    var picture = HubPicture()
    var lines: [Int: HubLine] = [:]
    var players: [Int: Task<Void, Never>] = [:]
    var microphones: [Int: HubMicrophone] = [:]
    var captures: [Int: Task<Void, Never>] = [:]
    var lastMicrophone: Task<Void, Never>?
    var timer: (deadline: Duration, task: Task<Void, Never>)?
    var ending: Task<Void, Never>?
    var isOver = false
    var isWatchingAudio = false

    /// A client that was not begun; ``start()`` begins it, and ``shutdown()`` must end it.
    ///
    /// - Parameters:
    ///   - address: Where the hub is.
    ///   - http: What sends its REST calls.
    ///   - webSockets: What opens its WebSocket.
    ///   - devices: What it hears and speaks with.
    ///   - configuration: How it behaves.
    ///   - clock: Measures all waits.
    public init(
        _ address: HubAddress,
        http: any HTTPTransport,
        webSockets: any WebSocketTransport,
        devices: HubDevices = HubDevices(),
        configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        service = HubService(address, http: http, timing: configuration.timing)
        (self.webSockets, self.devices, self.configuration) = (webSockets, devices, configuration)
        (self.clock, stopwatch) = (clock, Stopwatch(clock))
        machine = HubMachine(reconnect: configuration.reconnect)
        source = NewestStateSource(HubSnapshot())
        (levels, levelReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
        (waveform, waveformReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    }

    deinit {
        source.finish()
        levelReport.finish()
        waveformReport.finish()
    }

    /// The state as it is, then the newest one after each change: changes while a reader is busy arrive as one.
    public nonisolated func updates() -> AsyncStream<HubSnapshot> { source.updates() }

    /// The state as it is.
    public nonisolated var current: HubSnapshot { source.current }

    /// Begins: connects, and stays connected.
    public func start() {
        watchAudio()
        send(.connection(.start))
    }

    /// Ends everything, and returns when the connection, the microphone and the loudspeaker are released. Answers that
    /// the hub does not have for certain are then in ``HubSnapshot/lostAnswers`` of ``current``, for the app to keep;
    /// also what was recorded until now. A second call waits for the first one's end.
    public func shutdown() async {
        let ending = self.ending ?? Task { await end() }
        self.ending = ending
        await ending.value
    }

    private func end() async {
        await finishMicrophones()
        send(.connection(.stop))
        isOver = true
        for microphone in microphones.values { await microphone.close() }
        for line in lines.values { await line.close() }
        await tasks.end()
        source.finish()
        levelReport.finish()
        waveformReport.finish()
    }

    // MARK: Where the person is

    /// Opens a voice: its session where it has one, else a new one is made, which takes up to a minute. A second tap
    /// meanwhile does nothing.
    public func open(voice: HubVoice.ID) { send(.open(voice: voice)) }

    /// Opens a session: its words are played from now on, and ``record()`` answers it.
    public func open(session: HubSession.ID) { send(.openSession(session)) }

    /// Goes back to the grid; what a session says meanwhile waits there.
    public func showGrid() { send(.showGrid) }

    /// Shows 50 more of the messages that were said in the open session, which are asked of the hub where it has them
    /// in pages; at most 1000 are shown, until the session is left. Nothing where there are none, or some are on their
    /// way.
    public func showOlder() { send(.showOlder) }

    /// Ends a session; audio of it that was not heard is not played any more.
    public func end(session: HubSession.ID) { send(.end(session: session)) }

    /// The app is visible: a connection that died is made again at once, and everything is asked for again. What was
    /// held back is played, also after an interruption that the system did not end by itself.
    public func foreground() {
        send(.connection(.foreground))
        send(.audio(isThere: true))
    }

    /// The app is not visible: a connection that ends now stays so until it is. What was recorded until now is the
    /// answer, the microphone stays closed, and what is said waits to be played.
    public func background() { send(.connection(.background)) }

    /// Asks for everything again: another client may have changed settings, or cleared a history.
    public func refresh() { send(.refresh) }

    // MARK: Answering

    /// Records an answer for the open session; what it is saying is stopped. Nothing where it records already.
    public func record() { send(.record) }

    /// Ends the recording and sends it: now, or as soon as the hub listens.
    public func finishRecording() { send(.finishRecording) }

    /// Ends the recording and forgets it.
    public func discardRecording() { send(.discardRecording) }

    /// Stops what the open session is saying, and records.
    public func interrupt() { send(.interrupt) }

    /// Mutes the person, whose answers are empty then, or ends that. What they were saying is their answer.
    public func setMuted(_ isMuted: Bool) { send(.mute(isMuted)) }

    /// Answers with a clip that was recorded elsewhere.
    ///
    /// - Parameters:
    ///   - clip: Raw samples, which go as WAV, or a file.
    ///   - session: The session.
    /// - Throws: ``HubError`` with `clipEmpty`, `clipTooLarge`, `sessionUnknown`, `answersFull`; `CoreError` for
    ///   samples that cannot be made a file.
    public func answer(_ clip: AudioClip, in session: HubSession.ID) throws {
        let file = try clip.asFile().bytes
        guard !clip.bytes.isEmpty else {
            throw HubError(.clipEmpty, "The clip is empty; to say nothing, mute instead.")
        }
        guard file.count <= HubCommand.clipBytes else { throw HubCommand.tooLarge(file.count) }
        try check(session)
        try machine.sessions[session]?.answers.check(.clip(file))
        send(.answer(session: session, .clip(file)))
    }

    /// Answers by typing.
    ///
    /// - Throws: ``HubError`` with `unsupported` where the hub is of the first generation, `sessionUnknown`,
    ///   `answersFull`.
    public func answer(_ text: String, in session: HubSession.ID) throws {
        _ = try HubCommand.text(session: session, text).message(for: machine.features)
        try check(session)
        try machine.sessions[session]?.answers.check(.text(text))
        send(.answer(session: session, .text(text)))
    }

    /// Sends a lost answer again: to its session, or to the one that its voice has by now. Nothing where there is no
    /// such answer; it stays lost, with a failure, where there is no such session.
    ///
    /// - Parameter answer: The id of one of ``HubSnapshot/lostAnswers``.
    public func sendAgain(_ answer: HubSnapshot.LostAnswer.ID) { send(.sendAgain(answer: answer)) }

    /// Discards a lost answer.
    ///
    /// - Parameter answer: The id of one of ``HubSnapshot/lostAnswers``.
    public func discard(_ answer: HubSnapshot.LostAnswer.ID) { send(.discard(answer: answer)) }

    /// Writes something into the agent's work, without waiting until it is done. The hub shows it as a message of the
    /// person. Where there is no connection nothing is kept.
    ///
    /// - Throws: ``HubError`` with `unsupported` where the hub is of the first generation, `sessionUnknown`,
    ///   `unreachable` without a connection.
    public func interject(_ text: String, in session: HubSession.ID) throws {
        try say(.interjection(session: session, text))
    }

    /// Lets the agent of a session answer by voice or in writing.
    ///
    /// - Throws: As ``interject(_:in:)``.
    public func setMode(_ mode: HubMode, of session: HubSession.ID) throws {
        try say(.mode(session: session, mode.rawValue))
    }

    /// Tells the agent that the person has seen a message, which the hub shows to all clients.
    ///
    /// - Parameters:
    ///   - message: The message's id.
    ///   - session: Its session.
    /// - Throws: ``HubError`` with `unsupported` where the hub is older than 279d9d6, `sessionUnknown`, `unreachable`
    ///   without a connection.
    public func acknowledge(message: HubChatMessage.ID, in session: HubSession.ID) throws {
        try say(.userAck(session: session, messageID: message))
    }

    private func say(_ command: HubCommand) throws(HubError) {
        _ = try command.message(for: machine.features)
        try check(command.session)
        guard machine.connection.socket != nil else { throw Self.noConnection }
        send(.say(command))
    }

    static var noConnection: HubError {
        let message = "There is no connection to the hub; nothing was sent. Try again when it is back."
        return HubError(.unreachable, message, recovery: .checkNetwork)
    }

    private func check(_ session: HubSession.ID) throws(HubError) {
        guard machine.sessions[session].map({ !$0.isGone }) ?? false else {
            throw HubError(.sessionUnknown, "The hub has no such session; open its voice again.")
        }
    }

    // MARK: Settings

    /// Changes settings for all clients of the hub.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func change(_ change: HubSettings.Change) async throws {
        send(.settingsChanged(try await service.change(change)))
    }

    /// Lets a session speak faster or slower; 1 is normal.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func setSpeed(_ speed: Double, of session: HubSession.ID) async throws {
        try await service.setSpeed(speed, of: session)
        send(.refresh)
    }

    /// Gives a session another voice.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func setVoice(_ voice: HubVoice.ID, of session: HubSession.ID) async throws {
        try await service.setVoice(voice, of: session)
        send(.refresh)
    }

    /// Forgets what was said with a voice, here and in the hub.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func clearHistory(of voice: HubVoice.ID) async throws {
        try await service.clearHistory(of: voice)
        send(.cleared(voice: voice))
    }
}

extension HubErrorCode {
    /// A clip has no bytes.
    public static let clipEmpty = HubError.Code(rawValue: "clipEmpty")
    /// There is no such session any more.
    public static let sessionUnknown = HubError.Code(rawValue: "sessionUnknown")
}
