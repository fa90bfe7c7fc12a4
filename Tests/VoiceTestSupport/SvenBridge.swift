// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import RiffServer
package import RiffTransport

/// The server as a transport: client and server without a socket.
package struct SvenBridge: HTTPTransport {
    package let server: SvenServer

    package init(server: SvenServer) { self.server = server }

    package func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try request.validate()
        var fields = request.headerFields
        var chunks: [[UInt8]] = []
        if case .bytes(let bytes) = body {
            fields[.contentLength] = String(bytes.count)
            chunks = bytes.map { [$0] }
        }
        let stream = BodyChunks(chunks: chunks)
        let inbound = ServerRequest(request.method, request.path ?? "", headerFields: fields, body: stream)
        let answer = try await server.respond(to: inbound)
        let (reply, writer) = ByteStream.makeStream(bufferedBytes: .max)
        try await writer.write(answer.body)
        writer.finish()
        return HTTPReply(head: HTTPResponse(status: answer.status, headerFields: answer.headerFields), body: reply)
    }
}
