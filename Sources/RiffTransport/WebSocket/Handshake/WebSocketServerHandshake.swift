// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import HTTPTypes

/// The server's side of the opening handshake (RFC 6455 section 4.2), for tests and tools.
package struct WebSocketServerHandshake: Sendable {
    /// The answer: 101 with its fields.
    package let response: HTTPResponse
    package let subprotocol: String?
    package let agreement: WebSocketDeflateAgreement?

    /// Whether a request asks for a WebSocket at all.
    package static func isAsked(by head: HTTPHeadReader.Head) -> Bool { head.tokens(.upgrade).contains("websocket") }

    /// An answer; `nil` where the request is not one that RFC 6455 section 4.2.1 lets pass (answer 400, or 426 for
    /// another version).
    ///
    /// - Parameters:
    ///   - head: The request's.
    ///   - subprotocol: What the server chooses; left away where the client did not offer it.
    ///   - compression: What the server takes; `nil` declines.
    package init?(_ head: HTTPHeadReader.Head, subprotocol: String?, compression: WebSocketRequest.Compression?) {
        let keys = head.fields[values: .secWebSocketKey]
        guard head.line.hasPrefix("GET "), head.line.hasSuffix(bytes: " HTTP/1.1"), Self.isAsked(by: head),
            head.tokens(.connection).contains("upgrade"), head.tokens(.secWebSocketVersion) == ["13"],
            keys.count == 1, keys[0].utf8.count == 24
        else { return nil }
        var fields: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade"]
        fields[.secWebSocketAccept] = WebSocketAccept.answer(to: keys[0])
        let offered = head.fields[values: .secWebSocketProtocol].flatMap { $0.split(separator: ",") }.map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        self.subprotocol = subprotocol.flatMap { offered.contains($0) ? $0 : nil }
        if let chosen = self.subprotocol { fields[.secWebSocketProtocol] = chosen }
        let answer = compression.flatMap {
            WebSocketExtensions.answer(head.fields[values: .secWebSocketExtensions], accepting: $0)
        }
        if let answer { fields[.secWebSocketExtensions] = answer.value }
        agreement = answer?.agreement
        response = HTTPResponse(status: .switchingProtocols, headerFields: fields)
    }
}
