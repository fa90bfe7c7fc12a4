// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport

extension RiffClient {
    // sample: server: HTTPBaseURL, http: any HTTPTransport, secrets: some SecretStore
    /// Asks a server for its secret, on `POST /riff/pair`, with the code that its console shows.
    ///
    /// ```swift
    /// let secret = try await RiffClient.pair(with: "K7QP-X2MW-RDTA", at: server, http: http)
    /// try await secrets.set(secret.text, for: RiffContract.secretName)
    /// ```
    ///
    /// The secret is sealed for this device alone, also where the connection has no TLS.
    ///
    /// - Parameters:
    ///   - code: The code as a person typed it.
    ///   - server: Where the server is.
    ///   - http: What sends.
    ///   - device: Which device this is.
    ///   - timing: How long things may take.
    /// - Returns: The secret; keep it in a secret store.
    /// - Throws: ``VoiceError``: `wrongPairingCode` where no window is open at the server or the code is another;
    ///   `pairingFailed` where something answered that does not know the code; what happens on the way, as
    ///   ``transcribe(_:)`` does. `CancellationError`; the code may be used up then.
    public static func pair(
        with code: String,
        at server: HTTPBaseURL,
        http: any HTTPTransport,
        device: RiffIdentifier = .random(),
        timing: Timing = Timing()
    ) async throws -> RiffSecret {
        let agreement = PairingAgreement.Device(device, code: code)
        var request = server.request(.post, RiffContract.pairPath)
        request.headerFields[.contentType] = "application/json"
        let answer: HTTPAnswer
        do {
            let body = HTTPBody.bytes(agreement.request.json.bytes())
            let reply = try await http.sendOnce(request, body: body, deadlines: timing.deadlines)
            answer = HTTPAnswer(head: reply.head, body: try await reply.body.collect(upTo: 1 << 16))
        } catch let error as TransportError {
            throw VoiceError(riff: error, server: server, sent: .question)
        }
        if answer.head.status == .unauthorized {
            let message =
                "The Riff server at \(server) did not take the code (401). Open a window for pairing at its console, and "
                + "type the code that is shown there within five minutes."
            throw VoiceError(.wrongPairingCode, message, recovery: .retry)
        }
        guard answer.head.status == .ok else {
            throw VoiceError(riff: answer.head, server: server, sent: .question)
        }
        let sealed = try answer.riffAnswer(from: server) { PairingAgreement.Answer(json: $0) }
        guard let key = agreement.secret(in: sealed), let secret = RiffSecret(key: key) else {
            let message =
                "What answered at \(server) does not know the code: it is not the server, or somebody stands between. "
                + "Check the address, and open a new window at the server's console."
            throw VoiceError(.pairingFailed, message, recovery: .retry)
        }
        return secret
    }
}

extension VoiceErrorCode {
    /// The server has no open window for pairing, or the code is another (401).
    public static let wrongPairingCode = VoiceError.Code(rawValue: "wrongPairingCode")
    /// The server that answered to a pairing does not know the code.
    public static let pairingFailed = VoiceError.Code(rawValue: "pairingFailed")
}
