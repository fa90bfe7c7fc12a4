// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension GatewayError {
    /// The most bytes of what cannot be understood that are kept.
    static var payloadBytes: Int { 64 * 1024 }

    /// Creates the error for an answer without success.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - body: As much of the body as there is.
    ///   - request: What was asked, where it is known.
    init(refusal head: HTTPResponse, body: [UInt8], to request: HTTPRequest?) {
        let text = String(decoding: body.prefix(Self.payloadBytes), as: UTF8.self)
        // Whatever stands on the way answers in forms of its own: that the body is no JSON is no error here.
        let problem = (try? JSONValue(parsing: body)).flatMap { GatewayProblem(envelope: $0, isBare: true) }
        let status = head.status.code
        let words = problem.map { " It says: \($0.phrase)" } ?? ""
        let code: Code
        let message: String
        let recovery: Recovery?
        switch status {
        case 401, 403:
            (code, recovery) = (.unauthorized, .openSettings(.gatewayToken))
            message = "The gateway wants a token, or another one (\(status)); check it in the settings.\(words)"
        case 404, 405, 501:
            (code, recovery) = (.unsupported, .openSettings(.gatewayURL))
            let address = request?.logLine ?? "the address"
            message = "The gateway does not know \(address) (\(status)), or what it offers is switched off.\(words)"
        case 429:
            (code, recovery) = (.rateLimited, .retry)
            message = "The gateway takes no more requests for now (429); try again later.\(words)"
        case 500...:
            (code, recovery) = (.gatewayFailed, .retry)
            message = "The gateway failed (\(status)); try again.\(words)"
        default:
            (code, recovery) = (.requestRefused, nil)
            // Another place, or a request that is none: the address may be why.
            let address = request.map { " \($0.logLine)" } ?? ""
            message = "The gateway refused the request\(address) (\(status)).\(words)"
        }
        self.init(
            code,
            message,
            recovery: recovery,
            answer: problem,
            status: status,
            retryAfter: head.retryAfter,
            payload: text.isEmpty ? nil : text
        )
    }
}

extension GatewayErrorCode {
    /// The gateway wants a token, or another one than it was sent (401, 403).
    public static let unauthorized = GatewayError.Code(rawValue: "unauthorized")
    /// The gateway does not have this (404, 405, 501).
    public static let unsupported = GatewayError.Code(rawValue: "unsupported")
    /// The gateway takes no more requests for now (429).
    public static let rateLimited = GatewayError.Code(rawValue: "rateLimited")
    /// The gateway, or a server before it, failed (5xx).
    public static let gatewayFailed = GatewayError.Code(rawValue: "gatewayFailed")
    /// The gateway refused the request as such (other statuses).
    public static let requestRefused = GatewayError.Code(rawValue: "requestRefused")
}
