// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
#if HTTPClient
internal import NIOSSL
#endif
internal import RiffCore
internal import RiffTransport

extension TransportError {
    /// An error before there was a connection.
    init(webSocketNeverConnected error: any Error, _ request: WebSocketRequest) {
        let reason = Self.reason(error, request.connectDeadline)
        self.init(
            .webSocketNeverConnected,
            "\(request.url): not connected (\(reason)).",
            recovery: .checkNetwork,
            cause: error
        )
    }

    /// An error of the channel inside the opening handshake.
    init(webSocket error: any Error, _ url: WebSocketURL) {
        #if HTTPClient
        if error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError {
            let message = "\(url): no TLS connection; the certificate may be unknown, expired or for another name."
            self.init(.tlsFailed, message, cause: error)
            return
        }
        #endif
        let message = "\(url): the connection was lost inside the WebSocket handshake (\(Self.reason(error, nil)))."
        self.init(.connectionLost, message, recovery: .retry, cause: error)
    }

    private static func reason(_ error: any Error, _ limit: Duration?) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return reason(first.error, limit) }
            if error.dnsAError != nil || error.dnsAAAAError != nil { return "the name cannot be resolved" }
            return "no address answered"
        case ChannelError.connectTimeout:
            return limit.map { "no connection within its connect deadline of \($0)" } ?? "no connection in time"
        case let error as IOError where error.errnoCode == ECONNREFUSED: return "refused: nothing listens there"
        case let error as IOError where error.errnoCode == ECONNRESET: return "reset by the peer"
        case let error as any RiffError: return error.message
        case let error as IOError: return "system error \(error.errnoCode)"
        default: return "\(type(of: error))"
        }
    }
}
