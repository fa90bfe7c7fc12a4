// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffServer
import RiffTransport

/// The handlers as a transport: client and server without a socket.
struct BridgedTransport: HTTPTransport {
    let server: VoiceServer

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
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

/// A recogniser that says what it is told.
struct FakeRecogniser: SpeechToText {
    let body: @Sendable (AudioClip) async throws -> Transcript

    func transcribe(_ clip: AudioClip) async throws -> Transcript { try await body(clip) }

    /// Reads `TEXT:...` out of a clip.
    static let reading = FakeRecogniser { Transcript(text: String(decoding: $0.bytes.dropFirst(5), as: UTF8.self)) }
}
