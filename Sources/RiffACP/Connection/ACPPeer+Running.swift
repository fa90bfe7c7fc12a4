// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension ACPPeer {
    /// Serves the connection until it ends or the task is cancelled.
    func run(_ role: Role) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.send() }
            group.addTask { await self.keepDiagnostics() }
            group.addTask { await self.handOn(role) }
            group.addTask { await self.deadlines.run() }
            let reason = await self.read(role)
            // What is queued is still handed on: the last words before an end matter most.
            self.events.push(self.otherTurns.withLock(\.running).map { (.otherAnswer($0.id, nil), 0) })
            self.events.finish()
            let failure = await self.failure(after: reason)
            self.pending.failAll(failure)
            // An agent that others hold goes on, and its questions stay open.
            if self.shared == nil {
                self.cancelInbound(where: { _ in true }, role)
            } else {
                self.withdraw { _ in true }
            }
            self.ended.resolve(failure)
            self.deadlines.finish()
            self.outbox.finish()
        }
    }

    /// Ends the connection: what was posted is sent, the other side's input closed, and it gets `grace` to end by
    /// itself before its channel is closed, which ends it. Everything open fails with `closed`.
    func close(grace: Duration) async {
        isClosing.resolve(())
        outbox.finish()
        // Whether it ended by itself, in time, or not at all: it is closed.
        _ = try? await withDeadline(grace, clock: clock) { [channel] in try await channel.exitStatus() }
        await channel.close()
    }

    /// Sends pings until the connection has ended.
    func keepAlive(every interval: Duration) async {
        await withTaskGroup { group in
            group.addTask {
                while (try? await self.clock.sleep(for: interval)) != nil {
                    // What still waits to be sent keeps the channel alive as well, and must not grow.
                    if self.outbox.isEmpty { self.notify("$/ping", [:]) }
                }
            }
            // Not an error: the connection's own is told to whoever asks.
            group.addTask { _ = try? await self.ended.cancellableValue() }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: The tasks

    private func send() async {
        do {
            while let lines = await outbox.next() { try await channel.send(lines) }
            try await channel.finishSending()
        } catch {
            // It shows in the reading task, too, with more to say about it: how the program ended.
            logger.debug("sending ended", metadata: ["riff.error": "\(error)"])
            outbox.finish()
        }
    }

    private func keepDiagnostics() async {
        do {
            for try await chunk in channel.diagnostics { diagnostics.add(chunk) }
        } catch { logger.debug("standard error ended", metadata: ["riff.error": "\(error)"]) }
        diagnostics.finish()
    }

    private func handOn(_ role: Role) async {
        await withDiscardingTaskGroup { group in
            while let batch = await events.next() {
                for event in batch {
                    switch event {
                    case .answer(let question, let answer): question.answer.resolve(answer)
                    case .request(let inbound): group.addTask { await self.handle(inbound, role) }
                    case .update, .notification: await role.notify(event)
                    case .otherTurn(let turn):
                        guard otherTurns.withLock({ $0.isRunning(turn) }) else { continue }
                        await role.otherTurn(turn, .running)
                    case .otherAnswer(let id, let answer):
                        guard let turn = otherTurns.withLock({ $0.answered(id) }) else { continue }
                        await role.otherTurn(turn, .ended(read(answer)))
                    }
                }
            }
        }
    }

    /// The end of a turn; `nil` where it is not known how it ended.
    private func read(_ answer: Result<JSONValue, ACP.RPCError>?) -> Result<ACP.PromptResponse, any Error>? {
        switch answer {
        case .success(let json)?: (try? ACP.PromptResponse(json: json)).map { .success($0) }
        case .failure(let error)?: .failure(failure(of: ACP.PromptRequest.method, answered: error))
        case nil: nil
        }
    }

    /// Another client of the same agent began a turn.
    func otherTurnBegan(_ turn: OtherTurn) {
        guard otherTurns.withLock({ $0.began(turn) }) else { return }
        // Where it has ended meanwhile, nobody is told of it.
        events.push([(.otherTurn(turn), 128)])
    }

    /// Reads to the end. What broke the channel, or nil at its proper end.
    private func read(_ role: Role) async -> (any Error)? {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                while let frames = try await channel.receive() {
                    var batch: [(event: InboundEvent, bytes: Int)] = []
                    for frame in frames {
                        take(frame, role, &batch, &group)
                        // A chunk may hold hundreds of messages: the first need not wait for the last to be read.
                        if batch.count >= 16 {
                            events.push(batch)
                            batch.removeAll(keepingCapacity: true)
                        }
                    }
                    if !batch.isEmpty { events.push(batch) }
                    await events.waitForRoom { pending.hasUnordered }
                }
                group.cancelAll()
            }
            return nil
        } catch { return error }
    }

    private func take(
        _ frame: ACPFrame,
        _ role: Role,
        _ batch: inout [(event: InboundEvent, bytes: Int)],
        _ group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        guard case .line(let line) = frame else {
            if case .overlong(let bytes) = frame { noise.add(Array("(a line of \(bytes) bytes was dropped)\n".utf8)) }
            if case .unfinished(let part) = frame { noise.add(line: part) }
            return
        }
        wireObserver?(.received, line)
        do {
            let json = try JSONValue(parsing: line)
            let messages = json.array?.map { ACPMessage(json: $0) } ?? [ACPMessage(json: json)]
            // Once for a line, and each message with its share: a line may hold millions of them.
            if messages.contains(where: { $0 == nil }) { noise.add(line: line.prefix(200)) }
            let bytes = line.count / max(1, messages.count)
            for case let message? in messages {
                take(message, bytes: bytes, role, &batch, &group)
                if batch.count >= 16 {
                    events.push(batch)
                    batch.removeAll(keepingCapacity: true)
                }
            }
        } catch {
            // An agent's program may print anything before it speaks; what it was is kept for diagnosis.
            noise.add(line: line.prefix(2048))
        }
    }

    private func take(
        _ message: ACPMessage,
        bytes: Int,
        _ role: Role,
        _ batch: inout [(event: InboundEvent, bytes: Int)],
        _ group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        switch message {
        case .notification(ACP.SessionNotification.method, let params):
            do { batch.append((.update(try ACP.SessionNotification(json: params)), bytes)) } catch {
                noise.add(Array("(an update that cannot be read: \(error.message))\n".utf8))
            }
        case .notification(ACP.CancelRequestNotification.method, let params):
            guard let id = params["requestId"].map(ACP.RequestID.init(json:)) else { return }
            cancelInbound(where: { $0.id == id }, role)
        case .notification(let method, let params):
            batch.append((.notification(method: method, params: params), bytes))
        case .request(let id, let method, let params):
            if let shared, shared.isAnswered(id) { return }
            guard let inbound = inbound.begin(id, method, params) else {
                let error = ACP.RPCError.internalError("Too many requests are open.")
                post(.response(id, .failure(error)))
                return
            }
            if role.orderedRequests.contains(method) {
                batch.append((.request(inbound), bytes))
            } else {
                group.addTask { await self.handle(inbound, role) }
            }
        case .response(let id, let result):
            guard let question = pending.take(id) else {
                if shared != nil { batch.append((.otherAnswer(id, result), bytes)) }
                logger.debug("an answer that nobody waits for", metadata: ["riff.id": "\(id)"])
                return
            }
            let answer = result.mapError { $0 as any Error }
            if question.isOrdered {
                batch.append((.answer(question, answer), bytes))
            } else {
                question.answer.resolve(answer)
            }
        }
    }

    // MARK: The end

    private func failure(after reason: (any Error)?) async -> any Error {
        if isClosing.current != nil { return ACPError(.closed, "The connection to \(name) was closed.") }
        if let reason = reason as? TransportError, reason.code == .connectionLost {
            return ACPError(
                .connectionLost,
                "The connection to \(name) was lost.",
                recovery: .checkNetwork,
                cause: reason
            )
        }
        // Its last words, and how it ended, come a moment later than the end of its output.
        // Where that cannot be told in time, the error says less.
        let status =
            (try? await withDeadline(.seconds(2), clock: clock) { [channel] in try await channel.exitStatus() }) ?? nil
        // A grandchild may hold standard error open for good.
        try? await withDeadline(.seconds(1), clock: clock) { [diagnostics] in
            try await diagnostics.ended.cancellableValue()
        }
        let words = diagnostics.lines.suffix(10) + noise.lines.suffix(3)
        let hint = ACPErrorHint.classify(words: words.joined(separator: "\n"), hasExited: true)
        var message = "\(name) \(Self.ending(status))."
        if let hint { message += " \(hint.text)" }
        if !words.isEmpty { message += " It wrote last: \(words.suffix(5).joined(separator: " | "))" }
        return ACPError(.agentExited, message, recovery: .retry, cause: reason, hint: hint)
    }

    private static func ending(_ status: ExitStatus?) -> String {
        switch status {
        case .exited(let code): "ended with status \(code)"
        case .signaled(let signal): "was ended by signal \(signal)"
        case nil: "closed its output"
        }
    }
}
