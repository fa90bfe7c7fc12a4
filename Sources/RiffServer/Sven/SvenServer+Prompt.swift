// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffVoice
internal import Synchronization

extension SvenServer {
    /// The most bytes of a prompt's own id.
    private static let idLimitBytes = 128

    /// Takes a prompt. The order of the checks is the public server's, with the attestation in front of the token.
    func prompt(_ request: ServerRequest) async throws -> ServerResponse {
        var fields = try PromptFields(try await body(of: request), request.headerFields)
        let transcript = fields.required("transcript")
        let token = fields.required("token")
        let attestation = fields.optional("attestation")
        let messageID = fields.optional("message_id", limitBytes: Self.idLimitBytes)
        try fields.check()
        let text = String(transcript.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !text.isEmpty else { return .detail(.badRequest, "Empty transcript") }
        guard try await isGenuine(attestation, SvenClient.AttestedPrompt(transcript: transcript, messageID: messageID))
        else {
            return .detail(.unauthorized, SvenContract.invalidAttestation)
        }
        guard let device = try await device(of: token) else {
            return .detail(.unauthorized, SvenContract.unknownDevice)
        }
        let now = stopwatch.now.offset
        if let wait = rate.withLock({ $0.take(device.id, at: now) }) {
            let seconds = max(1, wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
            return .detail(.tooManyRequests, "Too many requests", headerFields: [.retryAfter: String(seconds)])
        }
        let key = messageID.map { RecentPrompts.Key(device: device.id, messageID: $0) }
        return try await handOnOnce(text, device, key)
    }

    /// Hands a prompt on, unless the same one was handed on before; where that is going on, its end is this one's too.
    private func handOnOnce(
        _ text: String,
        _ device: DeviceLedger.Device,
        _ key: RecentPrompts.Key?
    ) async throws -> ServerResponse {
        guard let key else { return try await handOn(text, device, settle: { _ in }) }
        while true {
            switch recent.withLock({ $0.claim(key) }) {
            case .first:
                return try await handOn(text, device) { outcome in
                    self.recent.withLock { $0.settle(key, outcome) }?.resolve(outcome)
                }
            case .repeated(let outcome):
                switch try await outcome.cancellableValue() {
                case .handedOn(let id):
                    return .done(SvenContract.deduplicated, requestID: conversation == nil ? nil : id)
                case .failed: return Self.notHandedOn
                // The first try's client went away, perhaps to make this second one.
                case .abandoned: continue
                }
            }
        }
    }

    private static let notHandedOn = ServerResponse.detail(.internalServerError, "Failed to inject prompt")

    private func handOn(
        _ text: String,
        _ device: DeviceLedger.Device,
        settle: (RecentPrompts.Outcome) -> Void
    ) async throws -> ServerResponse {
        let prompt = SvenPrompt(id: SvenConversation.makeID(), text: text, device: device)
        conversation?.add(prompt.id, .user, text)
        let isTaken = EventualValue<Bool>()
        do {
            try await withDeadline(configuration.handOver, clock: clock) { [sink] in
                try await sink(prompt)
                isTaken.resolve(true)
            }
        } catch {
            // Where the sink was done when the time was over, or when the client left, the agent has the prompt all the
            // same.
            if isTaken.current != true { return try refused(prompt, error, settle: settle) }
        }
        settle(.handedOn(prompt.id))
        guard conversation != nil else { return .done("Prompt received.") }
        return .done("Prompt received. Poll /messages for response.", requestID: prompt.id)
    }

    /// What follows when the sink did not take a prompt.
    private func refused(
        _ prompt: SvenPrompt,
        _ error: any Error,
        settle: (RecentPrompts.Outcome) -> Void
    ) throws -> ServerResponse {
        conversation?.withdraw(prompt.id)
        let isGone = Task.isCancelled
        settle(isGone ? .abandoned : .failed)
        if isGone { throw CancellationError() }
        let isLate = error is DeadlineExceeded
        let message = isLate ? "The agent took longer than \(configuration.handOver)." : "The agent took no prompt."
        report(ServerError(isLate ? .promptTimeout : .promptFailed, message, cause: isLate ? nil : error))
        return Self.notHandedOn
    }

    private func isGenuine(_ attestation: String?, _ prompt: SvenClient.AttestedPrompt) async throws -> Bool {
        guard let verifier else { return true }
        guard let attestation else { return false }
        do {
            return try await withDeadline(configuration.verification, clock: clock) {
                try await verifier.isGenuine(attestation, of: prompt)
            }
        } catch {
            try Task.checkCancellation()
            report(ServerError(.attestationFailed, "An attestation could not be verified.", cause: error))
            return false
        }
    }
}

extension ServerErrorCode {
    /// The agent did not take a prompt; why is the cause.
    public static let promptFailed = ServerError.Code(rawValue: "promptFailed")
    /// The agent did not take a prompt in time.
    public static let promptTimeout = ServerError.Code(rawValue: "promptTimeout")
    /// An attestation could not be verified, so that the prompt was refused; why is the cause.
    public static let attestationFailed = ServerError.Code(rawValue: "attestationFailed")
}
