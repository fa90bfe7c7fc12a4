// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension GatewayError {
    /// Creates the error for a failure on the way.
    init(_ error: TransportError, server: HTTPBaseURL) {
        switch error.code {
        case .httpNeverConnected:
            let message = "The gateway at \(server) cannot be reached; check the address and the network."
            self.init(.unreachable, message, recovery: .checkNetwork, cause: error)
        case .tlsFailed:
            let message =
                "No TLS connection can be made to the gateway at \(server); it may speak plain http, or have a "
                + "certificate that is not trusted here."
            self.init(.unreachable, message, recovery: .openSettings(.gatewayURL), cause: error)
        case .httpMalformed:
            let peer = error.peerPhrase ?? "something that does not speak HTTP"
            let message = "What answers at \(server) is \(peer), and no gateway; check the address and its port."
            self.init(.notChat, message, recovery: .openSettings(.gatewayURL), cause: error)
        case .timeout:
            let message = "The gateway at \(server) did not answer in time; try again."
            self.init(.timedOut, message, recovery: .retry, cause: error)
        case .outputTooLarge:
            self.init(.answerTooLarge, "The gateway at \(server) answered with more than is taken.", cause: error)
        default:
            let message = "The connection to the gateway at \(server) was lost; try again."
            self.init(.connectionLost, message, recovery: .retry, cause: error)
        }
    }
}

extension GatewayErrorCode {
    /// No connection could be made: nothing was sent.
    public static let unreachable = GatewayError.Code(rawValue: "unreachable")
    /// It did not answer in time.
    public static let timedOut = GatewayError.Code(rawValue: "timedOut")
    /// The connection was lost; the gateway may have taken the request.
    public static let connectionLost = GatewayError.Code(rawValue: "connectionLost")
    /// An answer is larger than is taken.
    public static let answerTooLarge = GatewayError.Code(rawValue: "answerTooLarge")
    /// An answer lacks what it must hold.
    public static let answerMalformed = GatewayError.Code(rawValue: "answerMalformed")
}
