// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffTransport

/// A WebSocket on a socket of the system; see ``WebSocketConnection``. It closes with 1001 when nobody holds it any
/// more.
package final class NIOWebSocketConnection: WebSocketConnection {
    package let subprotocol: String?
    private let link: WebSocketLink

    package init(_ link: WebSocketLink, subprotocol: String?) {
        self.link = link
        self.subprotocol = subprotocol
    }

    deinit { link.requestClose(.goingAway, reason: "") }

    package var receivedBytes: UInt64 { link.receivedBytes }
    package var ended: WebSocketEnding? { link.ended }
    package func receive() async throws -> WebSocketMessage? { try await link.receive() }
    package func send(_ message: WebSocketMessage) async throws { try await link.send(message) }
    package func ping() async throws { try await link.ping() }
    package func ending() async throws -> WebSocketEnding { try await link.ending() }

    package func close(_ code: WebSocketEnding.Code, reason: String) async {
        await link.close(code, reason: reason)
    }
}
