// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension HubError {
    /// Creates the error for an answer without success.
    init(refusal answer: HTTPAnswer, to what: String) {
        let status = answer.head.status.code
        // Whatever stands on the way answers in forms of its own: that the body is no JSON is no error here.
        let json = try? JSONValue(parsing: answer.body)
        let said = (json?["error"] ?? json?["detail"])?.text.map { InertText.line(String($0.prefix(200))) }
        let words = said.map { " It says: \($0)" } ?? ""
        switch status {
        case 401, 403:
            let message = "The hub, or what stands before it, refused \(what) (\(status)).\(words)"
            self.init(.unauthorized, message, recovery: .openSettings(.hubURL), status: status)
        case 404, 405, 501:
            self.init(.unsupported, "The hub does not know \(what) (\(status)).\(words)", status: status)
        case 400..<500: self.init(.refused, "The hub refused \(what) (\(status)).\(words)", status: status)
        default:
            self.init(.hubFailed, "The hub failed at \(what) (\(status)).\(words)", recovery: .retry, status: status)
        }
    }

    /// Creates the error for a failure on the way.
    init(_ error: TransportError, server: HTTPBaseURL) {
        switch error.code {
        case .httpNeverConnected, .tlsFailed, .webSocketNeverConnected:
            let message = "The hub at \(server) cannot be reached; check the address and the network."
            self.init(.unreachable, message, recovery: .checkNetwork, cause: error)
        case .httpMalformed:
            let peer = error.peerPhrase ?? "something that does not speak HTTP"
            let message = "What answers at \(server) is \(peer), and no hub; check the address and its port."
            self.init(.answerMalformed, message, recovery: .openSettings(.hubURL), cause: error)
        case .timeout:
            let message = "The hub at \(server) did not answer in time; try again."
            self.init(.timedOut, message, recovery: .retry, cause: error)
        case .outputTooLarge:
            self.init(.answerTooLarge, "The hub at \(server) answered with more than is taken.", cause: error)
        default:
            let message = "The connection to the hub at \(server) was lost; try again."
            self.init(.connectionLost, message, recovery: .retry, cause: error)
        }
    }

    static func malformed(_ what: String, cause: (any Error)? = nil) -> HubError {
        HubError(.answerMalformed, "The hub told \(what) in an unknown form.", cause: cause)
    }
}

extension HubErrorCode {
    /// The server before the hub requires authentication (401, 403).
    public static let unauthorized = HubError.Code(rawValue: "unauthorized")
    /// The hub, of its age, does not have this.
    public static let unsupported = HubError.Code(rawValue: "unsupported")
    /// The hub refused the request as such (other statuses of 400 and more).
    public static let refused = HubError.Code(rawValue: "refused")
    /// The hub failed (5xx).
    public static let hubFailed = HubError.Code(rawValue: "hubFailed")
    /// No connection could be made: nothing was sent.
    public static let unreachable = HubError.Code(rawValue: "unreachable")
    /// It did not answer in time.
    public static let timedOut = HubError.Code(rawValue: "timedOut")
    /// The connection was lost; the hub may have taken the request.
    public static let connectionLost = HubError.Code(rawValue: "connectionLost")
    /// An answer is larger than is taken.
    public static let answerTooLarge = HubError.Code(rawValue: "answerTooLarge")
    /// An answer lacks what it must hold.
    public static let answerMalformed = HubError.Code(rawValue: "answerMalformed")
}
