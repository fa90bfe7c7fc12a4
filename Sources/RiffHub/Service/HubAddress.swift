// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The address of a hub: its REST address, and the WebSocket beside it.
public struct HubAddress: Sendable, Hashable, CustomStringConvertible {
    /// The base address of its REST calls.
    public let server: HTTPBaseURL
    /// Its WebSocket, `/ws`.
    public let socket: WebSocketURL

    /// Reads what a person typed: `http` and `ws` mean the same, as do `https` and `wss`; without a scheme it is `wss`.
    /// A `/ws` at its end is left away.
    ///
    /// - Throws: ``HubError`` with `addressInvalid`; the message does not quote it, since it may hold a password.
    public init(_ text: String) throws(HubError) {
        var rest = text[...]
        var scheme = "https"
        if let colon = text.firstRange(of: "://") {
            rest = text[colon.upperBound...]
            switch text[..<colon.lowerBound].lowercased() {
            case "http", "ws": scheme = "http"
            case "https", "wss": scheme = "https"
            default: throw Self.invalid(nil)
            }
        }
        rest = rest.droppingLast(byte: "/")
        if rest.hasSuffix(bytes: "/ws"), let slash = rest.lastIndex(byte: "/") { rest = rest[..<slash] }
        do {
            server = try HTTPBaseURL("\(scheme)://\(rest)")
            socket = try WebSocketURL(server, "/ws")
        } catch {
            throw Self.invalid(error)
        }
    }

    /// The REST address.
    public var description: String { server.description }

    private static func invalid(_ cause: (any Error)?) -> HubError {
        let message = "The hub's address must look like host:port, http://host:port or https://host/path."
        return HubError(.addressInvalid, message, recovery: .openSettings(.hubURL), cause: cause)
    }
}

extension HubErrorCode {
    /// The hub's address is none.
    public static let addressInvalid = HubError.Code(rawValue: "addressInvalid")
}

extension SettingName {
    /// The address of a hub.
    public static let hubURL = SettingName("hubURL")
}
