// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import RiffCore
package import RiffServer
package import RiffTransport
internal import RiffVoice

/// The handlers as a transport: client and server without a socket.
package struct BridgedTransport: HTTPTransport {
    package let server: VoiceServer

    package init(server: VoiceServer) { self.server = server }

    package func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        var fields = request.headerFields
        var stream = ByteStream.makeStream(bufferedBytes: .max)
        switch body {
        case .none: stream.writer.finish()
        case .bytes(let bytes):
            fields[.contentLength] = String(bytes.count)
            try await stream.writer.write(bytes)
            stream.writer.finish()
        case .stream: throw TransportError(.httpInvalidRequest, "The bridge takes bytes.")
        }
        let inbound = ServerRequest(request.method, request.path ?? "", headerFields: fields, body: stream.stream)
        let answer = try await server.respond(to: inbound)
        stream = ByteStream.makeStream(bufferedBytes: .max)
        try await stream.writer.write(answer.body)
        stream.writer.finish()
        let head = HTTPResponse(status: answer.status, headerFields: answer.headerFields)
        return HTTPReply(head: head, body: stream.stream)
    }
}
