// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
    /// Creates the error for one of URLSession. Only what cannot have left this machine is said never to have
    /// connected; what is not known for certain is a lost connection.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - request: What it is about.
    ///   - isConnected: Whether there certainly was a connection.
    ///   - isAnswered: Whether the head had come.
    init(urlSession error: any Error, request: HTTPRequest, isConnected: Bool, _ isAnswered: Bool) {
        let line = request.logLine
        let code = (error as? URLError)?.code
        let name = code.map { "URLError \($0.rawValue)" } ?? "\(type(of: error))"
        if !isAnswered, let code, let kind = URLErrorMeaning.refusals[code] {
            self.init(.httpInvalidRequest, "\(line): \(kind) (\(name)).", cause: error)
        } else if !isConnected, let code, let reason = URLErrorMeaning.unreached[code] {
            let message = "\(line): not connected (\(reason))."
            self.init(.httpNeverConnected, message, recovery: .checkNetwork, cause: error)
        } else if !isAnswered, let code, URLErrorMeaning.handshakes.contains(code) {
            let message =
                "\(line): no TLS connection could be made; the certificate may be unknown, expired or for another name."
            self.init(.tlsFailed, message, cause: error)
        } else if let code, URLErrorMeaning.malformations.contains(code) {
            self.init(.httpMalformed, "\(line): the answer cannot be read as HTTP (\(name)).", cause: error)
        } else if code == .timedOut {
            self.init(.timeout, "\(line): the system's own time limit passed.", recovery: .retry, cause: error)
        } else {
            self.init(.connectionLost, "\(line): the connection was lost (\(name)).", recovery: .retry, cause: error)
        }
    }
}

/// The meaning of URLSession's codes.
private enum URLErrorMeaning {
    static let refusals: [URLError.Code: String] = [
        .badURL: "the request cannot be sent as it is",
        .unsupportedURL: "the request cannot be sent as it is",
        .requestBodyStreamExhausted: "its body would have to be sent a second time",
        .appTransportSecurityRequiresSecureConnection:
            "the app's transport security does not let it use http; allow it for this host, or use https",
    ]

    static let unreached: [URLError.Code: String] = [
        .cannotConnectToHost: "refused, or the host cannot be reached",
        .cannotFindHost: "the name cannot be resolved",
        .dnsLookupFailed: "the name cannot be resolved",
        .notConnectedToInternet: "this device has no network",
        .internationalRoamingOff: "roaming is off",
        .callIsActive: "a call is active",
        .dataNotAllowed: "the app may not use this network",
    ]

    static let handshakes: Set<URLError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired,
    ]

    static let malformations: Set<URLError.Code> =
        URLSessionTransport.capabilities.contains(.exactFailures)
        ? [.badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData] : []
}
#endif
