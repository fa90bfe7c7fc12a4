// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import RiffServer
internal import RiffTransport

/// Hosts handlers on a real socket of the loopback interface, as an HTTP server library does: bodies are read as fast
/// as the handler takes them, an answer may come before the end of a body, and a connection that is cut ends the body
/// with an error.
package struct SocketServer: Sendable {
    /// The connection ended inside a request's body.
    package struct Cut: Error {}

    /// The port on 127.0.0.1.
    package let port: Int

    /// A server for the time of `body`.
    ///
    /// - Parameters:
    ///   - answer: What answers requests.
    ///   - body: What uses it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or what kept the server from listening.
    package static func withServer<Value: Sendable>(
        _ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse,
        _ body: @Sendable (SocketServer) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        let server = SocketServer(port: listener.channel.localAddress?.port ?? 0)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { serving in
                        do {
                            for try await connection in connections {
                                serving.addTask { await serve(connection, answer) }
                            }
                        } catch {}  // The listener was closed, at the end.
                        serving.cancelAll()
                    }
                }
            }
            defer { group.cancelAll() }
            return try await body(server)
        }
    }

    private static func serve(
        _ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>,
        _ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
    ) async {
        do {
            try await connection.executeThenClose { inbound, outbound in
                var parts = inbound.makeAsyncIterator()
                while case .head(let head)? = try await parts.next() {
                    let (stream, writer) = ByteStream.makeStream(bufferedBytes: 64 * 1024)
                    let request = request(head, stream)
                    async let isKept = respond(to: request, answer, outbound)
                    var isWanted = true
                    var isWhole = false
                    do {
                        while !isWhole, let part = try await parts.next() {
                            switch part {
                            case .body(let bytes) where isWanted:
                                // A handler that answered takes no more: the rest is dropped until the client sees it.
                                do { try await writer.write(Array(bytes.readableBytesView)) } catch { isWanted = false }
                            case .end: isWhole = true
                            default: break
                            }
                        }
                    } catch {}  // A reset is a cut like any other.
                    writer.finish(throwing: isWhole ? nil : Cut())
                    guard try await isKept, isWhole else { return }
                }
            }
        } catch {}  // The client is gone, and there is nobody to tell.
    }

    private static func request(_ head: HTTPRequestHead, _ body: ByteStream) -> ServerRequest {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let method = HTTPRequest.Method(head.method.rawValue) ?? .get
        return ServerRequest(method, head.uri, headerFields: fields, body: body)
    }

    /// Answers, and returns whether the connection may carry another request.
    private static func respond(
        to request: ServerRequest,
        _ answer: @Sendable (ServerRequest) async throws -> ServerResponse,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws -> Bool {
        let response: ServerResponse
        do { response = try await answer(request) } catch {
            outbound.finish()
            return false
        }
        var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.statusCode))
        for field in response.headerFields { head.headers.add(name: field.name.rawName, value: field.value) }
        head.headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count))
        try await outbound.write(.head(head))
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: response.body))))
        try await outbound.write(.end(nil))
        let isKept = response.headerFields[.connection] != "close"
        // Half-closed: unread bytes of the client must not turn the answer into a reset.
        if !isKept { outbound.finish() }
        return isKept
    }
}
