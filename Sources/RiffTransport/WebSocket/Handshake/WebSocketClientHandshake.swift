// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore

/// The client's side of the opening handshake (RFC 6455 section 4.1) without I/O.
package struct WebSocketClientHandshake: Sendable {
    /// The outcome of the handshake.
    package enum Outcome: Sendable {
        /// The connection is open; bytes of frames may have come with the answer.
        case opened(subprotocol: String?, WebSocketDeflateAgreement?, rest: [UInt8])
        /// Another status than 101.
        case refused(WebSocketRefusal)
    }

    /// The number of answers of 1xx that may come before the answer itself.
    private static let interimLimit = 8

    private enum Stage {
        case head
        case body(HTTPResponse, WebSocketRefusalBody)
    }

    /// The bytes to send.
    package let request: [UInt8]
    private let wanted: WebSocketRequest
    private let key: String
    private var reader = HTTPHeadReader()
    private var stage = Stage.head
    private var interims = 0
    /// The bytes that came first.
    private var beginning: [UInt8] = []

    /// A handshake with a fresh key.
    ///
    /// - Throws: `TransportError` with `webSocketInvalidRequest`.
    package init(
        _ wanted: WebSocketRequest,
        using generator: inout some RandomNumberGenerator
    ) throws(TransportError) {
        try wanted.validate()
        self.wanted = wanted
        key = WebSocketAccept.key(using: &generator)
        var lines = [
            "GET \(wanted.url.target) HTTP/1.1", "Host: \(wanted.url.hostField)", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        if !wanted.subprotocols.isEmpty {
            lines.append("Sec-WebSocket-Protocol: \(wanted.subprotocols.joined(separator: ", "))")
        }
        if let compression = wanted.compression {
            lines.append("Sec-WebSocket-Extensions: \(WebSocketExtensions.offer(compression))")
        }
        for field in wanted.headers { lines.append("\(field.name.rawName): \(field.value)") }
        request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Takes bytes of the answer.
    ///
    /// - Returns: What came of it, once that is known.
    /// - Throws: `TransportError` with `webSocketHandshake`.
    package mutating func receive(_ bytes: [UInt8]) throws(TransportError) -> Outcome? {
        var bytes = bytes
        beginning += bytes.prefix(PeerGreeting.limitBytes - beginning.count)
        while case .head = stage {
            guard let found = try head(bytes) else { return nil }
            bytes = found.rest
            let status = try status(found.head.line)
            if status.code == 101 { return try accept(found.head, rest: bytes) }
            if status.code < 200 {
                // Others of 1xx come before the answer itself (RFC 9110 section 15.2).
                interims += 1
                guard interims <= Self.interimLimit else { throw failure("it goes on with interim answers") }
                continue
            }
            let head = HTTPResponse(status: status, headerFields: found.head.fields)
            stage = .body(head, WebSocketRefusalBody(head))
        }
        guard case .body(let head, var body) = stage else { return nil }
        body.receive(bytes)
        stage = .body(head, body)
        return body.isWhole ? end() : nil
    }

    private mutating func head(
        _ bytes: [UInt8]
    ) throws(TransportError) -> (head: HTTPHeadReader.Head, rest: [UInt8])? {
        do { return try reader.receive(bytes) } catch { throw failure(error.reason) }
    }

    /// Says that no more bytes come, or that no more are waited for.
    ///
    /// - Returns: A refusal whose body was not whole; `nil` where there was no answer.
    package func end() -> Outcome? {
        guard case .body(let head, let body) = stage else { return nil }
        return .refused(WebSocketRefusal(head: head, body: body.bytes))
    }

    // MARK: The answer

    private func status(_ line: String) throws(TransportError) -> HTTPResponse.Status {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix(bytes: "HTTP/1."), parts[1].count == 3,
            let code = Int(parts[1]), (100...599).contains(code)
        else { throw stranger ?? failure("it does not speak HTTP/1.1") }
        return HTTPResponse.Status(code: code, reasonPhrase: parts.count > 2 ? String(parts[2]) : "")
    }

    private func accept(_ head: HTTPHeadReader.Head, rest: [UInt8]) throws(TransportError) -> Outcome {
        guard head.tokens(.upgrade) == ["websocket"] else { throw failure("its Upgrade field is not websocket") }
        guard head.tokens(.connection).contains("upgrade") else { throw failure("its Connection field has no upgrade") }
        guard head.fields[values: .secWebSocketAccept] == [WebSocketAccept.answer(to: key)] else {
            throw failure("its Sec-WebSocket-Accept does not belong to our key")
        }
        let protocols = head.fields[values: .secWebSocketProtocol]
        guard protocols.count <= 1, protocols.allSatisfy(wanted.subprotocols.contains) else {
            throw failure("it chose a subprotocol that was not offered")
        }
        do {
            let values = head.fields[values: .secWebSocketExtensions]
            let agreement = try WebSocketExtensions.agreement(values, offer: wanted.compression)
            return .opened(subprotocol: protocols.first, agreement, rest: rest)
        } catch {
            throw failure(error.reason)
        }
    }

    /// The failure of a peer that has said something, and no HTTP; `nil` of any other.
    package var stranger: TransportError? {
        PeerGreeting(beginning).map { failure("what answers is \($0.phrase)") }
    }

    private func failure(_ reason: String) -> TransportError {
        TransportError(
            .webSocketHandshake,
            "\(wanted.url): the answer to the WebSocket handshake is wrong: \(reason)."
        )
    }

    /// The error of a refusal.
    package static func error(_ refusal: WebSocketRefusal, _ url: WebSocketURL) -> TransportError {
        TransportError(
            .webSocketRefused,
            "\(url): the server answered \(refusal.head.status.code) instead of opening a WebSocket.",
            cause: refusal
        )
    }
}
