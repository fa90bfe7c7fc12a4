// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport
internal import RiffVoice

/// The effects that the machine asks for, carried out, with their results given to the machine.
extension HubClient {
    func send(_ event: HubEvent) {
        guard !isOver else { return }
        for effect in machine.handle(event, at: stopwatch.now.offset) { perform(effect) }
        wait()
        // The picture and the snapshot are changed in place: a copy is made for a reader alone.
        source.modify { picture.update(&$0, from: machine) }
    }

    private func perform(_ effect: HubEffect) {
        switch effect {
        case .connect(let socket): tasks.run { await self.connect(socket) }
        case .drop(let socket):
            guard let line = lines.removeValue(forKey: socket) else { return }
            tasks.run { await line.close() }
        case .send(let socket, let command, let answer):
            if lines[socket]?.say(command, answer: answer, for: machine.features) != true {
                tasks.run { await self.notSent(command, answer: answer) }
            }
        case .play(let clip, let session): play(clip, of: session)
        case .stopPlaying(let clip): players.removeValue(forKey: clip)?.cancel()
        case .openMicrophone(let number, let isWatching): openMicrophone(number, isWatching: isWatching)
        case .recordMicrophone(let number): tasks.run { await self.microphones[number]?.record() }
        case .finishMicrophone(let number): tasks.run { await self.microphones[number]?.finish() }
        case .closeMicrophone(let number): tasks.run { await self.microphones[number]?.close() }
        default: tasks.run { await self.ask(effect) }
        }
    }

    /// Sleeps until the machine's next deadline, and no longer.
    private func wait() {
        let next = machine.deadline
        guard timer?.deadline != next else { return }
        timer?.task.cancel()
        timer = nil
        guard let deadline = next else { return }
        let rest = max(.zero, deadline - stopwatch.now.offset)
        let task = tasks.run { [clock, weak self] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: rest)) != nil else { return }
            await self?.wake(at: deadline)
        }
        if let task { timer = (deadline, task) }
    }

    private func wake(at deadline: Duration) {
        if timer?.deadline == deadline { timer = nil }
        // Pieces of a message that takes its time are signs of life as well.
        if let socket = machine.connection.socket, lines[socket]?.hasMoved() == true {
            send(.connection(.heard(socket: socket)))
        }
        send(.tick)
    }

    // MARK: The WebSocket

    private func connect(_ socket: Int) async {
        do {
            var request = WebSocketRequest(service.address.socket)
            request.limits.messageBytes = configuration.messageBytes
            request.limits.frameBytes = configuration.messageBytes
            let connection = try await webSockets.connect(request)
            let line = HubLine(connection)
            guard !isOver else { return await line.close() }
            lines[socket] = line
            tasks.run {
                await line.write {
                    await self.sent($0, answer: $1, over: connection, socket: socket)
                } failed: {
                    await self.notSent($0, answer: $1)
                } refused: {
                    await self.send(.unsayable(session: $0.session, answer: $1, Problem($2)))
                }
            }
            send(.connection(.opened(socket: socket)))
            while let message = try await connection.receive() {
                _ = lines[socket]?.hasMoved()
                receive(message, over: socket)
            }
        } catch let error as TransportError where error.code == .webSocketRefused {
            // The newest hub does not know the address; every other refusal is somebody who stands before it.
            let isTooNew = await isTooNew()
            send(isTooNew ? .refused(Problem(HubError.tooNew)) : .connectFailed(Problem(error)))
        } catch {
            // How it ended changes nothing: it is made anew. Why it could not be made is something to mend.
            if lines[socket] == nil, !Task.isCancelled { send(.connectFailed(Problem(error))) }
        }
        lines.removeValue(forKey: socket)?.finish()
        send(.connection(.closed(socket: socket)))
    }

    private func isTooNew() async -> Bool {
        // Where this cannot be asked either, nothing is known, and it is tried again.
        (try? await service.isChat()) ?? false
    }

    /// An answer was given to the connection, which buffers: a pong shows that all before its ping has arrived.
    private func sent(
        _ command: HubCommand,
        answer: Int?,
        over connection: any WebSocketConnection,
        socket: Int
    ) {
        guard let answer else { return }
        tasks.run {
            // Where the connection ends first, that decides.
            guard (try? await connection.ping()) != nil else { return }
            await self.arrived(answer, in: command.session, over: socket)
        }
    }

    private func arrived(_ answer: Int, in session: HubSession.ID, over socket: Int) {
        guard socket == machine.connection.socket else { return }
        send(.connection(.heard(socket: socket)))
        send(.arrived(session: session, answer: answer))
    }

    private func notSent(_ command: HubCommand, answer: Int?) {
        if let answer { return send(.notSent(session: command.session, answer: answer)) }
        switch command {
        case .interjection, .mode, .userAck: send(.failed(Problem(Self.noConnection)))
        // The end of playing is told again behind the cut, and silence is asked for again.
        default: break
        }
    }

    private func receive(_ message: WebSocketMessage, over socket: Int) {
        switch message {
        case .binary: send(.malformed(socket: socket))
        case .text(let text):
            do { send(.frame(socket: socket, try HubFrame(text: text))) } catch { send(.malformed(socket: socket)) }
        }
    }

    // MARK: REST

    private func ask(_ effect: HubEffect) async {
        do {
            switch effect {
            case .fetchSessions(let request): send(.sessions(request: request, try await service.sessions()))
            case .fetchSettings(let request): send(.settings(request: request, try await service.settings()))
            case .fetchHistory(let voice, let request):
                send(.history(voice: voice, request: request, try await service.history(of: voice)))
            case .fetchOlder(let voice, let message, let request):
                send(.older(voice: voice, request: request, try await service.history(of: voice, before: message)))
            case .spawn(let voice): await spawn(voice)
            case .terminate(let session):
                try await service.terminate(session: session)
                send(.ended(session: session))
            case .markRead(let session, let isOpen):
                try await service.markRead(session: session)
                if isOpen { try await service.setViewing(session: session) }
            default: break
            }
        } catch let error as HubError where error.code == .generationUnsupported {
            send(.refused(Problem(error)))
        } catch is CancellationError {
        } catch {
            report(error, of: effect)
        }
    }

    private func report(_ error: any Error, of effect: HubEffect) {
        switch effect {
        case .fetchSessions(let request): send(.sessionsFailed(request: request, Problem(error)))
        case .fetchSettings: send(.settingsFailed(Problem(error)))
        case .terminate(let session): send(.endFailed(session: session, Problem(error)))
        // What a hub counts of this is put right by the next time.
        case .markRead: break
        case .fetchHistory(let voice, let request):
            send(.historyFailed(voice: voice, request: request))
            if machine.isHistoryMissed(voice) { send(.failed(Problem(error))) }
        case .fetchOlder(let voice, _, let request):
            send(.historyFailed(voice: voice, request: request))
            send(.failed(Problem(error)))
        default: send(.failed(Problem(error)))
        }
    }

    private func spawn(_ voice: HubVoice.ID) async {
        do {
            send(.spawned(voice: voice, try await service.spawn(voice: voice)))
        } catch {
            send(.spawnFailed(voice: voice, Problem(error)))
        }
    }

    // MARK: Sound

    /// Follows what the system does to the audio session.
    func watchAudio() {
        guard let audio = devices.audio, !isWatchingAudio else { return }
        isWatchingAudio = true
        tasks.run { [weak self] in
            await audio.watch { [self] change in
                switch change {
                case .taken, .outputLost: await self?.send(.audio(isThere: false))
                case .back: await self?.send(.audio(isThere: true))
                }
            }
        }
    }

    private func play(_ clip: HubSpeechQueue.Clip, of session: HubSession.ID) {
        let voice = machine.sessions[session].map { HubVoice.named($0.historyKey) } ?? HubVoice.named(session.asVoice)
        let speaker = HubDevices.Speaker(session: session, voice: voice)
        players[clip.number] = tasks.run {
            var failure: Problem?
            do { try await self.devices.play(clip.audio, of: speaker) } catch {
                failure = Task.isCancelled ? nil : Problem(error)
            }
            await self.played(clip.number, failure: failure)
        }
    }

    private func played(_ clip: Int, failure: Problem?) {
        // It was stopped, and may be played anew by now.
        guard !Task.isCancelled else { return }
        players[clip] = nil
        send(.played(clip: clip, failure))
    }

    /// Ends the recording, and waits until its clip is an answer.
    func finishMicrophones() async {
        send(.finishRecording)
        for (number, microphone) in microphones {
            await microphone.finish()
            // A device that has not begun may never come, and has nothing to tell.
            guard await microphone.isListening else { continue }
            await captures[number]?.value
        }
    }

    private func openMicrophone(_ number: Int, isWatching: Bool) {
        guard ending == nil else {
            tasks.run { await self.hear(.over(nil, nil), of: number) }
            return
        }
        let microphone = HubMicrophone(
            devices,
            isWatching: isWatching,
            endsByItself: machine.settings.endsByItself
        )
        microphones[number] = microphone
        let last = lastMicrophone
        lastMicrophone = tasks.run {
            // A device is often one program's alone: it is free once the last recording is over.
            await last?.value
            await microphone.run { await self.hear($0, of: number) }
        }
        captures[number] = lastMicrophone
    }

    private func hear(_ news: HubMicrophone.News, of number: Int) {
        switch news {
        case .level(let level): levelReport.yield(level)
        case .waveform(let points): waveformReport.yield(points)
        case .interrupted: send(.interrupted(microphone: number))
        case .spoke: send(.spoke(microphone: number))
        case .over(let file, let failure):
            microphones[number] = nil
            captures[number] = nil
            send(.recorded(microphone: number, file, failure))
        }
    }
}

extension HubDevices {
    /// Plays a clip to its end.
    ///
    /// - Throws: What the decoder and the sink throw; ``HubError`` with `soundUnknown`; `CancellationError`.
    func play(_ sound: HubAudio, of speaker: HubDevices.Speaker) async throws {
        guard let makeSink else { return }
        guard let clip = sound.clip else {
            throw HubError(.soundUnknown, "The hub sent a sound of an unknown kind; it cannot be played.")
        }
        let voice = AnswerVoice(NoVoice(), decoder: decoder) { try await makeSink(speaker) }
        try await voice.holding(audio).speak(.speech(clip))
    }
}

/// Says nothing: hubs speak for themselves.
private struct NoVoice: TextToSpeech {
    func synthesize(_: String, _: @Sendable ([UInt8], AudioFormat) async throws -> Void) async throws {}
}

extension HubErrorCode {
    /// A sound is of a kind that its first bytes do not tell.
    public static let soundUnknown = HubError.Code(rawValue: "soundUnknown")
}
