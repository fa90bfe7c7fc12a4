// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import RiffCore
internal import RiffTransport

extension TransportError {
    /// Creates the error for one of AsyncHTTPClient: before the head was written nothing can have reached the peer,
    /// whatever the error says; after it, only the parser and the deadlines are distinguished from a lost connection.
    init(
        http error: any Error,
        request: HTTPRequest,
        isConnected: Bool,
        greeting: PeerGreeting? = nil,
        deadlines: HTTPDeadlines
    ) {
        let line = request.logLine
        if let known = error as? HTTPClientError, let (code, message) = Self.refusal(known) {
            self.init(code, "\(line): \(message)", cause: error)
        } else if isConnected, let greeting {
            let message = "\(line): the answer is no HTTP/1.1; what answers there is \(greeting.phrase)."
            self.init(.httpMalformed, message, cause: greeting)
        } else if isConnected {
            switch error {
            case HTTPParserError.invalidEOFState:
                self.init(
                    .connectionLost,
                    "\(line): the connection ended inside the answer.",
                    recovery: .retry,
                    cause: error
                )
            case let parser as HTTPParserError:
                let message = "\(line): the answer cannot be read as HTTP/1.1 (\(Self.describe(parser)))."
                self.init(.httpMalformed, message, cause: error)
            default:
                let message = "\(line): the connection was lost (\(Self.describe(error)))."
                self.init(.connectionLost, message, recovery: .retry, cause: error)
            }
        } else if Self.isTLS(error) {
            let message =
                "\(line): no TLS connection could be made; the certificate may be unknown, expired or for another name."
            self.init(.tlsFailed, message, cause: error)
        } else {
            let reason = Self.describe(error, connect: deadlines.connect)
            self.init(.httpNeverConnected, "\(line): not connected (\(reason)).", recovery: .checkNetwork, cause: error)
        }
    }

    /// Errors that are about the request or the client, not about the network.
    private static func refusal(_ error: HTTPClientError) -> (Code, String)? {
        switch error {
        case .alreadyShutdown:
            return (.closed, "the HTTP transport was shut down.")
        case .bodyLengthMismatch:
            return (.httpInvalidRequest, "its body has another length than was announced.")
        case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody:
            return (.httpInvalidRequest, "the request cannot be sent as it is.")
        default:
            // The parametrised ones cannot be matched by value.
            let isField = error.shortDescription.contains("header field")
            return isField ? (.httpInvalidRequest, "a header field holds what may not be sent.") : nil
        }
    }

    private static func isTLS(_ error: any Error) -> Bool {
        if error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError { return true }
        return (error as? HTTPClientError) == .tlsHandshakeTimeout
    }

    private static func describe(_ error: any Error, connect: Duration? = nil) -> String {
        switch error {
        case let error as IOError:
            return name(of: error)
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return describe(first.error, connect: connect) }
            if error.dnsAError != nil || error.dnsAAAAError != nil { return "the name cannot be resolved" }
            return "no address answered"
        case let error as HTTPClientError where error == .connectTimeout || error == .getConnectionFromPoolTimeout:
            return connect.map { "no connection within its connect deadline of \($0)" } ?? "no connection in time"
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            return "the peer closed it"
        case HTTPParserError.headerOverflow:
            return "its head is larger than 80 KB"
        default:
            // The type is safe to show; the description may quote what was sent.
            return "\(type(of: error))"
        }
    }

    private static func name(of error: IOError) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "refused: nothing listens there"
        case ECONNRESET: "reset by the peer"
        case EPIPE: "closed by the peer"
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN: "the host cannot be reached"
        case ETIMEDOUT: "the host stopped answering"
        default: "system error \(error.errnoCode)"
        }
    }
}
#endif
