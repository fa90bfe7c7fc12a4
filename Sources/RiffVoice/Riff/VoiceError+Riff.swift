// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension VoiceError {
    /// What a status other than 200 means. The body is not shown: it is whatever somebody's server wrote.
    init(riff head: HTTPResponse, server: HTTPBaseURL, sent: String = "recording") {
        let name = "The Riff server at \(server)"
        switch head.status.code {
        case 400:
            self.init(
                .requestRefused,
                "\(name) refused the request (400): the \(sent) or its format is not what it takes."
            )
        case 401:
            let message = "\(name) does not know this secret (401). Enter the secret that the server was started with."
            self.init(.wrongSecret, message, recovery: .openSettings("riffSecret"))
        case 404, 405:
            self = .notRiff("it does not know the address (\(head.status.code))", server: server)
        case 413:
            self.init(.audioTooLarge, "\(name) refused the recording as too large (413); record a shorter one.")
        case 502:
            self.init(.recognitionFailed, "\(name) could not recognise the recording (502).", recovery: .retry)
        case 503 where head.headerFields[.retryAfter] != nil:
            self.init(.serverBusy, "\(name) is busy (503); try again in a moment.", recovery: .retry)
        case 503:
            let message = "\(name) has no speech recognition (503): its API key or its recogniser is not set."
            self.init(.recognitionUnavailable, message)
        case 504:
            self.init(.recognitionTimeout, "\(name) did not get the text in time (504).", recovery: .retry)
        default:
            self.init(.serverFailed, "\(name) answered with status \(head.status.code).", recovery: .retry)
        }
    }

    /// What a failure on the way means to the person who spoke, or who sent something else.
    init(riff error: TransportError, server: HTTPBaseURL, sent: String = "recording") {
        let name = "The Riff server at \(server)"
        switch error.code {
        case .httpNeverConnected:
            let message =
                "\(name) cannot be reached. Check the network, and that the private network (VPN, tailnet) is on."
            self.init(.serverUnreachable, message, recovery: .checkNetwork, cause: error)
        case .tlsFailed:
            let message = "\(name) has no certificate that is trusted here."
            self.init(.serverUnreachable, message, recovery: .openSettings("riffServer"), cause: error)
        case .timeout:
            let message =
                "\(name) did not answer in time. It may have received the \(sent), so that it was not sent again."
            self.init(.serverTimeout, message, recovery: .retry, cause: error)
        case .connectionLost, .closed:
            let message =
                "The connection to \(server) was lost. The \(sent) may have been received and was not sent again."
            self.init(.serverConnectionLost, message, recovery: .retry, cause: error)
        case .httpMalformed, .outputTooLarge:
            self = .notRiff("its answer is not one", server: server, cause: error)
        default:
            self.init(.serverFailed, "The request to \(server) failed.", cause: error)
        }
    }

    static func notRiff(_ reason: String, server: HTTPBaseURL, cause: (any Error)? = nil) -> VoiceError {
        let message = "What answers at \(server) is not a Riff server: \(reason). Check the address and the port."
        return VoiceError(.notRiffServer, message, recovery: .openSettings("riffServer"), cause: cause)
    }
}

extension VoiceError.Code {
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
    /// The server does not accept the secret (401).
    public static let wrongSecret = VoiceError.Code(rawValue: "wrongSecret")
    /// The server refused the request as such (400).
    public static let requestRefused = VoiceError.Code(rawValue: "requestRefused")
    /// The recogniser behind the server failed (502).
    public static let recognitionFailed = VoiceError.Code(rawValue: "recognitionFailed")
    /// The server has no recogniser (503).
    public static let recognitionUnavailable = VoiceError.Code(rawValue: "recognitionUnavailable")
    /// The recogniser behind the server took too long (504).
    public static let recognitionTimeout = VoiceError.Code(rawValue: "recognitionTimeout")
    /// The server serves as many as it can (503 with `Retry-After`).
    public static let serverBusy = VoiceError.Code(rawValue: "serverBusy")
    /// Any other failure of the server.
    public static let serverFailed = VoiceError.Code(rawValue: "serverFailed")
}
