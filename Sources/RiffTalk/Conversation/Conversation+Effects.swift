// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import RiffVoice

/// What the machine wants, done; and what comes of it, told to the machine.
extension Conversation {
    func send(_ event: ConversationMachine.Event) {
        for effect in machine.handle(event) { perform(effect) }
        if machine.isAtRest {
            for task in waits.values + followers { task.cancel() }
            (waits, followers) = ([:], [])
            rest?.resolve(())
            rest = nil
        }
        publish()
    }

    func publish() {
        var snapshot = ConversationSnapshot()
        snapshot.phase = machine.phase
        snapshot.isMuted = isMuted.value
        snapshot.heard = heard
        snapshot.turns = machine.turns
        snapshot.problem = machine.failure?.problem
        snapshot.unsentText = machine.failure?.text
        if snapshot != source.current { source.update(snapshot) }
    }

    private func perform(_ effect: ConversationMachine.Effect) {
        switch effect {
        case .beginCall: Task { await beginCall() }
        case .endCall: Task { await endCall() }
        case .open(let turn, let isArmed): open(turn, isArmed: isArmed)
        case .engage(let turn): Task { await turns[turn]?.engage() }
        case .close(let turn): Task { await turns[turn]?.close() }
        case .wait(let turn, let time): wait(time, then: .waited(turn: turn))
        case .submit(let turn, let text): Task { await submit(turn, text) }
        case .awaitAnswer(let turn, let time): wait(time, then: .answerIsLate(turn: turn))
        case .speak(let number, let content): speeches[number] = Task { await speak(number, content) }
        case .silence(let number): speeches[number]?.cancel()
        case .awaitApproval(let id, let reading, let time): wait(time, then: .approvalIsLate(id, reading: reading))
        case .decide(let id, let decision): asked.removeValue(forKey: id)?.resolve(decision)
        }
    }

    private func wait(_ time: Duration, then event: ConversationMachine.Event) {
        lastWait += 1
        let number = lastWait
        waits[number] = Task { [clock] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: time)) != nil else { return }
            waits[number] = nil
            send(event)
        }
    }

    // MARK: The call

    private func beginCall() async {
        do {
            let events = try await call.begin()
            send(.callBegan)
            // Those of a call that was ended while the next one was asked for: two would ask one feed, and each answer
            // would be spoken twice.
            for task in followers { task.cancel() }
            followers = [Task { for await event in events { follow(event) } }, Task { await followFeed() }]
            if let audio { followers.append(Task { await audio.watch { await self.hear($0) } }) }
        } catch {
            send(.callFailed(ConversationFailure(error)))
        }
    }

    private func endCall() async {
        await call.end()
        send(.callClosed)
    }

    private func follow(_ event: CallEvent) {
        switch event {
        case .ended: send(.callEnded)
        case .muted(let isMuted): setMuted(isMuted)
        case .audio(let isActive): send(.audio(isActive: isActive))
        }
    }

    private func hear(_ change: AudioWatch.Change) {
        switch change {
        case .taken: setAudio(isSessionThere: false)
        case .back: setAudio(isSessionThere: true)
        // Whoever talks hands-free talks on, with the device that is left.
        case .outputLost: break
        }
    }

    /// Tells the machine whether the audio session and the app let it hear and speak.
    func setAudio(isSessionThere: Bool? = nil, isInForeground: Bool? = nil) {
        self.isSessionThere = isSessionThere ?? self.isSessionThere
        self.isInForeground = isInForeground ?? self.isInForeground
        send(.permitted(self.isSessionThere && self.isInForeground))
    }

    /// Asks for answers as long as the call stands; a feed that fails is asked again.
    private func followFeed() async {
        var cursor: Double?
        var delay = Duration.seconds(1)
        while !Task.isCancelled {
            do {
                let after: Double
                if let cursor { after = cursor } else { after = try await feed.beginning() }
                cursor = after
                let answer = try await feed.next(after: after)
                cursor = max(after, answer.time)
                delay = .seconds(1)
                send(.answered(answer))
            } catch {
                guard !Task.isCancelled else { return }
                machine.failure = ConversationFailure(error)
                publish()
                // Cancellation is the only error of a clock's sleep.
                guard (try? await clock.sleep(for: delay)) != nil else { return }
                delay = min(delay * 2, .seconds(30))
            }
        }
    }

    // MARK: Turns

    private func open(_ number: Int, isArmed: Bool) {
        let turn = ListeningTurn(parts, isArmed: isArmed) { [weak self] news in await self?.hear(news, of: number) }
        turns[number] = turn
        if !isArmed { heard = "" }
        Task {
            do {
                let utterance = try await turn.run()
                turns[number] = nil
                if let utterance {
                    turnFigures = Conversation.Figures()
                    (turnFigures.spoken, turnFigures.recognized) = (utterance.ended, stopwatch.now.offset)
                }
                send(.ended(turn: number, utterance))
            } catch let error as VoiceError where error.code == .microphoneTaken {
                // It is opened anew, which waits until it is given back.
                turns[number] = nil
                send(.ended(turn: number, nil))
            } catch {
                let text = await turn.text
                turns[number] = nil
                send(.failed(turn: number, ConversationFailure(error, text: text.isEmpty ? nil : text)))
            }
        }
    }

    private func hear(_ news: ListeningTurn.News, of turn: Int) {
        switch news {
        case .opened: send(.opened(turn: turn))
        case .level(let level): levelReport.yield(level)
        case .heard: send(.heard(turn: turn))
        case .interrupted:
            heard = ""
            if machine.phase == .speaking, let (content, progress) = spoken {
                let (time, text) = progress.heard()
                interruptionReport.yield(Conversation.BrokenOffAnswer(content: content, heard: time, text: text))
            }
            send(.interrupted(turn: turn))
        case .text(let text):
            heard = text
            publish()
        case .failed(let error):
            machine.failure = ConversationFailure(error)
            publish()
        case .recognizing: send(.recognizing(turn: turn))
        }
    }

    private func submit(_ turn: Int, _ text: String) async {
        do {
            try await sink.typeSpoken(text, submit: true)
            turnFigures.typed = stopwatch.now.offset
            send(.submitted(turn: turn, nil))
        } catch {
            send(.submitted(turn: turn, ConversationFailure(error, text: text)))
        }
    }

    private func speak(_ number: Int, _ content: AgentAnswer.Content) async {
        let begin = stopwatch.now.offset
        let progress = AnswerProgress(stopwatch)
        spoken = (content, progress)
        do {
            try Task.checkCancellation()
            try await voice.speak(content, progress) { await self.soundBegan(after: begin) }
            send(.spoken(number, at: stopwatch.now.offset, nil))
        } catch {
            let failure = Task.isCancelled ? nil : ConversationFailure(error)
            send(.spoken(number, at: stopwatch.now.offset, failure))
        }
        speeches[number] = nil
    }

    private func soundBegan(after begin: Duration) {
        (turnFigures.answered, turnFigures.sounded) = (begin, stopwatch.now.offset)
        figureReport.yield(turnFigures)
    }
}
