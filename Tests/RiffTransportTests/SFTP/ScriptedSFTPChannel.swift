// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport

/// A server whose every answer the test writes: it hands over what the client sent, packet by packet.
struct ScriptedSFTPChannel: ByteChannel {
    let output: ByteStream
    let diagnostics: ByteStream
    let answers: ByteStream.Writer
    private let sent: ByteStream
    private let sink: ByteStream.Writer

    init() {
        (output, answers) = ByteStream.makeStream()
        (sent, sink) = ByteStream.makeStream(bufferedBytes: 16 << 20)
        let (none, writer) = ByteStream.makeStream()
        writer.finish()
        diagnostics = none
    }

    func write(_ bytes: [UInt8]) async throws { try await sink.write(bytes) }
    func finishWriting() async throws { sink.finish() }
    func close() async {
        sink.finish()
        answers.finish()
    }
    func exitStatus() async throws -> ExitStatus? { nil }

    /// Greets, and opens a client; `extensions` alternate name and version.
    static func opened(extensions: [String] = []) async throws -> (SFTPClient, ScriptedSFTPChannel, Requests) {
        let channel = ScriptedSFTPChannel()
        try await channel.answers.write(frame([2] + number(3) + extensions.flatMap { string(Array($0.utf8)) }))
        let client = try await SFTPClient.open(over: channel)
        let requests = Requests(channel.sent)
        _ = try await requests.next()
        return (client, channel, requests)
    }

    func answer(_ type: UInt8, to request: Request, _ body: [UInt8]) async throws {
        try await answers.write(Self.frame([type] + Self.number(request.id) + body))
    }

    func answerStatus(_ code: UInt32, _ words: String = "", to request: Request) async throws {
        try await answer(101, to: request, Self.number(code) + Self.string(Array(words.utf8)) + Self.string([]))
    }

    struct Request: Equatable {
        let type: UInt8
        let id: UInt32
        let body: [UInt8]
    }

    /// What the client sends; asked by one task.
    final class Requests {
        private var iterator: ByteStream.Iterator
        private var parser = SFTPPacketParser()

        init(_ stream: ByteStream) { iterator = stream.makeAsyncIterator() }

        func next() async throws -> Request? {
            while true {
                if let packet = try parser.next() {
                    let bytes = Array(packet)
                    let id = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                    return Request(type: bytes[0], id: id, body: Array(bytes.dropFirst(5)))
                }
                guard let bytes = try await iterator.next() else { return nil }
                parser.append(bytes)
            }
        }
    }

    static func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    static func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }
    static func frame(_ bytes: [UInt8]) -> [UInt8] { string(bytes) }
}
