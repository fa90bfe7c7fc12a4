// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension GatewayError {
    /// The gateway ended a reply with an error.
    static func chatFailed(_ problem: GatewayProblem, payload: String) -> GatewayError {
        let message = "The gateway ended the reply with an error. It says: \(problem.phrase)"
        return GatewayError(
            .chatFailed,
            message,
            recovery: .retry,
            answer: problem,
            payload: excerpt(payload)
        )
    }

    /// Returns the error of a reply that ended without a mark of its end.
    static func chatTruncated(_ cause: (any Error)?) -> GatewayError {
        let end = cause == nil ? "ended" : "was lost"
        let message = "The connection \(end) before the reply did; what came of it is kept."
        return GatewayError(.chatTruncated, message, recovery: .retry, cause: cause)
    }

    /// Returns the error of text in the place of a chunk that is none.
    static func chatMalformed(_ payload: String, cause: (any Error)?) -> GatewayError {
        let message = "The gateway's reply cannot be read from some point on; what came before is kept."
        return GatewayError(.chatMalformed, message, cause: cause, payload: excerpt(payload))
    }

    /// Returns the error of a server that does not speak the chat interface.
    static func notChat(_ payload: String) -> GatewayError {
        let message = "What answers at the gateway's address does not speak the chat interface; check the address."
        return GatewayError(
            .notChat,
            message,
            recovery: .openSettings(.gatewayURL),
            payload: excerpt(payload)
        )
    }

    private static func excerpt(_ payload: String) -> String {
        String(decoding: payload.utf8.prefix(payloadBytes), as: UTF8.self)
    }

    /// The reply is larger than the limits allow.
    static func chatTooLarge(_ limit: Int, cause: (any Error)? = nil) -> GatewayError {
        let message = "The gateway's reply is larger than the limit of \(limit) bytes; what came of it is kept."
        return GatewayError(.chatTooLarge, message, cause: cause)
    }
}

extension GatewayErrorCode {
    /// The gateway said that it failed, after it had begun to answer.
    public static let chatFailed = GatewayError.Code(rawValue: "chatFailed")
    /// A reply has no end: the connection ended or was lost.
    public static let chatTruncated = GatewayError.Code(rawValue: "chatTruncated")
    /// A part of a reply is not JSON, or not an object.
    public static let chatMalformed = GatewayError.Code(rawValue: "chatMalformed")
    /// The answer is no chat reply at all, as from a web page.
    public static let notChat = GatewayError.Code(rawValue: "notChat")
    /// A reply is larger than the limits allow.
    public static let chatTooLarge = GatewayError.Code(rawValue: "chatTooLarge")
}
