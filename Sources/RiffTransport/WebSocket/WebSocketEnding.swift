// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension WebSocketEnding {
    /// Why a WebSocket was closed: an open set (RFC 6455 section 7.4, and the IANA registry of close codes).
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's number.
        public let rawValue: UInt16

        /// Any number, also one this version does not know.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// 1000: it has served its purpose.
        public static let normal = WebSocketEnding.Code(rawValue: 1000)
        /// 1001: a server goes down, a page is left.
        public static let goingAway = WebSocketEnding.Code(rawValue: 1001)
        /// 1002: a rule of the protocol was broken.
        public static let protocolError = WebSocketEnding.Code(rawValue: 1002)
        /// 1003: a kind of data that the peer does not take.
        public static let unsupportedData = WebSocketEnding.Code(rawValue: 1003)
        /// 1005: never on the wire; the close frame had no code.
        public static let noCode = WebSocketEnding.Code(rawValue: 1005)
        /// 1006: never on the wire; the connection was lost without a close frame.
        package static let abnormal = WebSocketEnding.Code(rawValue: 1006)
        /// 1007: text that is not UTF-8, or data that cannot be decompressed.
        public static let invalidPayload = WebSocketEnding.Code(rawValue: 1007)
        /// 1008: a policy.
        public static let policyViolation = WebSocketEnding.Code(rawValue: 1008)
        /// 1009: a message larger than the receiver's limit.
        public static let messageTooBig = WebSocketEnding.Code(rawValue: 1009)
        /// 1010: the client expected an extension.
        public static let missingExtension = WebSocketEnding.Code(rawValue: 1010)
        /// 1011: the server met something unexpected.
        public static let internalError = WebSocketEnding.Code(rawValue: 1011)
        /// 1012: the server restarts.
        public static let serviceRestart = WebSocketEnding.Code(rawValue: 1012)
        /// 1013: come back later.
        public static let tryAgainLater = WebSocketEnding.Code(rawValue: 1013)
        /// 1014: a gateway got a bad answer.
        public static let badGateway = WebSocketEnding.Code(rawValue: 1014)

        /// Whether it may stand in a close frame: 1000 to 1014 but 1004, 1005 and 1006, and 3000 to 4999.
        public var isSendable: Bool {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }

        /// The code's number as text.
        public var description: String { String(rawValue) }
    }
}

/// The way that a WebSocket ended.
public struct WebSocketEnding: Sendable, Hashable {
    /// The side that ended the connection.
    public enum Side: Sendable, Hashable {
        /// `close`, here, or a rule that the peer broke.
        case local
        /// The peer's close frame.
        case peer
        /// Neither side ended it on purpose: the connection was lost.
        case nobody
    }

    /// The code: of the close frame that came first, 1005 where it had none, 1006 where there was no close frame.
    public let code: WebSocketEnding.Code
    /// The close frame's words for people; empty if it had none. The peer's words, not to be trusted.
    public let reason: String
    /// The side that ended the connection.
    public let side: Side

    /// Creates an ending; for implementers.
    public init(_ code: WebSocketEnding.Code, reason: String = "", side: Side) {
        self.code = code
        self.reason = reason
        self.side = side
    }

    /// Lost without a close frame.
    public static func lost(_ reason: String = "") -> WebSocketEnding {
        WebSocketEnding(.abnormal, reason: reason, side: .nobody)
    }

    /// Whether it was lost without a close frame.
    public var isLost: Bool { code == .abnormal }

    /// The error that `send` and `ping` throw once the connection has ended.
    package var error: TransportError {
        if isLost {
            let message = "The WebSocket was lost\(reason.isEmpty ? "" : " (\(reason))")."
            return TransportError(.connectionLost, message, recovery: .retry)
        }
        let who = side == .peer ? "by the peer" : "by us"
        return TransportError(.closed, "The WebSocket was closed \(who) (code \(code)).")
    }
}
