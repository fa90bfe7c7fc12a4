// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import RiffServer

/// Brings Hummingbird's requests to the framework-neutral handlers and their answers back; the body is streamed.
struct VoiceResponder: HTTPResponder {
    let server: VoiceServer
    /// What answers all paths that do not begin with `/riff/`, where there is such a thing.
    var sven: SvenServer?

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let inbound = ServerRequest(
            request.method,
            request.head.path ?? "/",
            headerFields: request.headers,
            body: Chunks(body: request.body)
        )
        let answer =
            if let sven, !inbound.path.hasPrefix("/riff/") {
                try await sven.respond(to: inbound)
            } else {
                try await server.respond(to: inbound)
            }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        return Response(status: answer.status, headers: answer.headerFields, body: body)
    }

    /// The body as chunks of plain bytes.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = [UInt8]
        typealias Failure = any Error

        let body: RequestBody

        struct Iterator: AsyncIteratorProtocol {
            var buffers: RequestBody.AsyncIterator

            mutating func next() async throws -> [UInt8]? {
                try await buffers.next(isolation: #isolation).map { Array($0.readableBytesView) }
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(buffers: body.makeAsyncIterator()) }
    }
}
