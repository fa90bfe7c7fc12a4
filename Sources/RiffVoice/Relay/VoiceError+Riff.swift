// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension VoiceError {
    /// Creates the error for a status other than 200. The body is not shown: it is text from a server that is not
    /// trusted.
    init(riff head: HTTPResponse, server: HTTPBaseURL, sent kind: RiffRequestKind) {
        let name = "The Riff server at \(server)"
        switch head.status.code {
        case 400:
            self.init(.requestRefused, "\(name) refused the request (400): \(kind.whatIsRefused).")
        case 401: self.init(refusing: head, name)
        case 404, 405:
            self = .notRiff("it does not know the address (\(head.status.code))", server: server)
        case 413 where kind.hasClip:
            self.init(.audioTooLarge, "\(name) refused the recording as too large (413); record a shorter one.")
        case 413:
            self.init(.requestRefused, "\(name) refused the \(kind.noun) as too large (413).")
        case 507:
            let message = "\(name) has no room for more files (507). Remove some of those that were sent before."
            self.init(.uploadsUnavailable, message)
        case 503 where head.headerFields[.retryAfter] != nil:
            self.init(.serverBusy, "\(name) is busy (503); try again in a moment.", recovery: .retry)
        case 502, 503, 504: self = kind.failure(head.status.code, name)
        default:
            self.init(.serverFailed, "\(name) answered with status \(head.status.code).", recovery: .retry)
        }
    }

    /// Creates the error for a 401, by the challenge of one of our servers.
    private init(refusing head: HTTPResponse, _ name: String) {
        let challenge = head.headerFields[.wwwAuthenticate] ?? ""
        if challenge.hasSuffix("error=stale") {
            let message = "\(name) finds the request too old or too new (401): one of the two clocks is wrong."
            self.init(.clocksDiffer, message, recovery: .retry)
        } else if challenge.hasSuffix("error=version") {
            let message = "\(name) takes no signatures of version 1 (401). Let the client sign in version 2."
            self.init(.signatureVersion, message, recovery: .openSettings(.riffServer))
        } else {
            let message =
                "\(name) does not know this secret (401). Enter the secret that the server was started with"
                + (challenge.hasPrefix("Riff ")
                    ? "." : "; a server that knows only version 1 of signatures must be told so.")
            self.init(.wrongSecret, message, recovery: .openSettings(.riffSecret))
        }
    }

    /// Creates the error for a failure on the way, for the person who spoke, or who sent something else.
    init(riff error: TransportError, server: HTTPBaseURL, sent kind: RiffRequestKind) {
        self.init(
            error,
            server: ("Riff", server, .riffServer),
            sent: "the \(kind.noun)",
            otherwise: .notRiff(error.peerPhrase ?? "its answer is not one", server: server, cause: error)
        )
    }

    static func notRiff(_ reason: String, server: HTTPBaseURL, cause: (any Error)? = nil) -> VoiceError {
        let message = "What answers at \(server) is not a Riff server: \(reason). Check the address and the port."
        return VoiceError(.notRiffServer, message, recovery: .openSettings(.riffServer), cause: cause)
    }
}

extension VoiceErrorCode {
    /// The clip's encoding is not one that the server takes.
    public static let unsupportedAudio = VoiceError.Code(rawValue: "unsupportedAudio")
    /// The clip has no bytes.
    public static let emptyAudio = VoiceError.Code(rawValue: "emptyAudio")
    /// The clip is larger than the server takes; no byte of it was sent, unless the server itself said so.
    public static let audioTooLarge = VoiceError.Code(rawValue: "audioTooLarge")
    /// No connection could be made, twice: the network or the private network is off, or no server runs there.
    public static let serverUnreachable = VoiceError.Code(rawValue: "serverUnreachable")
    /// The server was reached and said nothing in time.
    public static let serverTimeout = VoiceError.Code(rawValue: "serverTimeout")
    /// The connection was lost after the request was sent, at least in part.
    public static let serverConnectionLost = VoiceError.Code(rawValue: "serverConnectionLost")
    /// Something else than the server meant answers there.
    public static let notRiffServer = VoiceError.Code(rawValue: "notRiffServer")
    /// The server finds the request too old or too new (401): its clock and this device's differ by minutes.
    public static let clocksDiffer = VoiceError.Code(rawValue: "clocksDiffer")
    /// The server does not take signatures of this version (401).
    public static let signatureVersion = VoiceError.Code(rawValue: "signatureVersion")
    /// The agent behind the server could not be asked, or its answer not be kept (502).
    public static let replyFailed = VoiceError.Code(rawValue: "replyFailed")
    /// The server has no agent to ask (503).
    public static let replyUnavailable = VoiceError.Code(rawValue: "replyUnavailable")
    /// The agent did not answer in time (504). The question is kept: look at the conversation before sending it again.
    public static let replyTimeout = VoiceError.Code(rawValue: "replyTimeout")
    /// The server could not speak the agent's answer (502, 504).
    public static let narrationFailed = VoiceError.Code(rawValue: "narrationFailed")
    /// The server has nothing that speaks (503).
    public static let narrationUnavailable = VoiceError.Code(rawValue: "narrationUnavailable")
    /// The server takes no files (503), or has no room for more of them (507).
    public static let uploadsUnavailable = VoiceError.Code(rawValue: "uploadsUnavailable")
    /// The server does not accept the secret (401).
    public static let wrongSecret = VoiceError.Code(rawValue: "wrongSecret")
    /// The server refused the request as such (400).
    public static let requestRefused = VoiceError.Code(rawValue: "requestRefused")
    /// The recognizer behind the server failed (502).
    public static let recognitionFailed = VoiceError.Code(rawValue: "recognitionFailed")
    /// The server has no recognizer (503).
    public static let recognitionUnavailable = VoiceError.Code(rawValue: "recognitionUnavailable")
    /// The recognizer behind the server took too long (504).
    public static let recognitionTimeout = VoiceError.Code(rawValue: "recognitionTimeout")
    /// The server serves as many as it can (503 with `Retry-After`).
    public static let serverBusy = VoiceError.Code(rawValue: "serverBusy")
    /// Any other failure of the server.
    public static let serverFailed = VoiceError.Code(rawValue: "serverFailed")
}
