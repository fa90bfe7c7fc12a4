// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension VoiceError {
    /// Creates the error for a status other than 200. Nothing of the body is shown but the names of fields.
    init(sven answer: HTTPAnswer, server: HTTPBaseURL, isAttested: Bool) {
        let name = "The Sven server at \(server)"
        let status = answer.head.status.code
        guard let detail = SvenDetail(answer) else {
            switch status {
            case 408, 429, 500...599:
                // A gateway in front of the server writes these as it likes.
                self.init(.serverFailed, "\(name) answered with status \(status).", recovery: .retry)
            default: self = .notSven("its refusal (\(status)) is not one", server: server)
            }
            return
        }
        switch status {
        case 400: self.init(.emptyPrompt, "\(name) found nothing in the prompt (400); say it again.")
        case 401 where detail.says(SvenContract.invalidAttestation):
            self = .attestation("\(name) does not accept", isAttested: isAttested)
        case 401:
            let message = "\(name) does not know this device (401). Pair it with the server."
            self.init(.unknownDevice, message, recovery: .openSettings(.svenPairing))
        case 404 where detail.says(SvenContract.audioNotFound):
            self.init(.audioNotReady, "\(name) has not spoken this message, or not yet (404).", recovery: .retry)
        case 404, 405:
            self.init(.notOnThisServer, "\(name) cannot do this (\(status)); it may be an older version.")
        case 413: self.init(.promptRejected, "\(name) refused the prompt as too long (413); say less.")
        case 422:
            var which = ""
            if case .fields(let fields) = detail, !fields.isEmpty {
                which = " (\(fields.prefix(4).joined(separator: ", ")))"
            }
            self.init(.promptRejected, "\(name) does not take the request as it is (422)\(which).")
        case 500 where detail.says("Failed to inject prompt") || detail.says("Failed to store message"):
            let message =
                "\(name) could not hand the prompt to its agent (500). The agent may have it all the same; look before "
                + "sending it again."
            self.init(.promptNotHandedOn, message, recovery: .retry)
        default: self.init(.serverFailed, "\(name) answered with status \(status).", recovery: .retry)
        }
    }

    /// Creates the error for a failure on the way, for the person who spoke.
    init(sven error: TransportError, server: HTTPBaseURL) {
        self.init(
            error,
            server: ("Sven", server, .svenServer),
            sent: "what was sent",
            otherwise: .notSven(error.peerPhrase ?? "its answer is not one", server: server, cause: error)
        )
    }

    static func notSven(_ reason: String, server: HTTPBaseURL, cause: (any Error)? = nil) -> VoiceError {
        let message = "What answers at \(server) is not a Sven server: \(reason). Check the address and the port."
        return VoiceError(.notSvenServer, message, recovery: .openSettings(.svenServer), cause: cause)
    }

    static func attestationMissing(_ reason: String, cause: (any Error)? = nil) -> VoiceError {
        let message = "\(reason) It can only be sent by the genuine app on a real device."
        return VoiceError(.attestationMissing, message, cause: cause)
    }

    private static func attestation(_ subject: String, isAttested: Bool) -> VoiceError {
        guard isAttested else {
            return attestationMissing("\(subject) a prompt that no device vouches for (401).")
        }
        let message = "\(subject) what this device says to vouch for the prompt (401). Pair the device with it again."
        return VoiceError(.attestationRefused, message, recovery: .openSettings(.svenPairing))
    }
}

extension VoiceErrorCode {
    /// There is nothing in the prompt but white space, here or in the server's opinion (400).
    public static let emptyPrompt = VoiceError.Code(rawValue: "emptyPrompt")
    /// The server does not know this device's token (401).
    public static let unknownDevice = VoiceError.Code(rawValue: "unknownDevice")
    /// The server wants an attestation (401) and there is nothing here to make one, or that failed.
    public static let attestationMissing = VoiceError.Code(rawValue: "attestationMissing")
    /// The server does not accept the attestation that was sent (401).
    public static let attestationRefused = VoiceError.Code(rawValue: "attestationRefused")
    /// The server does not take the request's fields (422), or their length (413).
    public static let promptRejected = VoiceError.Code(rawValue: "promptRejected")
    /// The server took too many prompts of this device lately (429); see ``SvenClient/promptDelay``.
    public static let tooManyPrompts = VoiceError.Code(rawValue: "tooManyPrompts")
    /// The server could not hand the prompt to its agent (500), or does not know whether it did.
    public static let promptNotHandedOn = VoiceError.Code(rawValue: "promptNotHandedOn")
    /// The server has no speech for the message, or none yet (404).
    public static let audioNotReady = VoiceError.Code(rawValue: "audioNotReady")
    /// The server is one, but of a version without this request (404, 405).
    public static let notOnThisServer = VoiceError.Code(rawValue: "notOnThisServer")
    /// The code for pairing is wrong, used or too old.
    public static let pairingRefused = VoiceError.Code(rawValue: "pairingRefused")
    /// Something else than a Sven server answers there.
    public static let notSvenServer = VoiceError.Code(rawValue: "notSvenServer")
}
