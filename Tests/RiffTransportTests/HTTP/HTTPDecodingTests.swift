// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffDeflate
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct HTTPDecodingTests {
    private static let text = Array(String(repeating: "An answer that is long. ", count: 300).utf8)

    private static func reply(_ coding: String?, _ body: [UInt8], pieces: Int = 100) async throws -> HTTPReply {
        var head = HTTPResponse(status: .ok)
        if let coding { head.headerFields[.contentEncoding] = coding }
        let chunks = stride(from: 0, to: body.count, by: pieces).map { Array(body[$0..<min($0 + pieces, body.count)]) }
        let http = ScriptedHTTPTransport([.response(head, chunks: chunks)])
        var request = try HTTPBaseURL("http://h").request(.get, "/")
        request.acceptCompressedAnswer()
        let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
        #expect(http.requests[0].head.headerFields[.acceptEncoding] == "gzip, deflate")
        return reply
    }

    @Test(arguments: [1, 7, 100_000])
    func `each coding is read, however it is cut`(pieces: Int) async throws {
        let cases: [(String?, [UInt8])] = [
            (nil, Self.text), ("identity", Self.text), ("gzip", try Deflate.compress(Self.text, as: .gzip)),
            ("X-GZip", try Deflate.compress(Self.text, as: .gzip)),
            ("deflate", try Deflate.compress(Self.text, as: .zlib)),
            // What some servers call so.
            ("deflate", try Deflate.compress(Self.text, as: .raw)),
            ("deflate", try Deflate.compress(Self.text, as: .raw, level: 0)),
        ]
        for (coding, body) in cases {
            let reply = try await Self.reply(coding, body, pieces: pieces)
            #expect(try await reply.decodedBody().collect(upTo: 1 << 20) == Self.text, "\(coding ?? "none")")
        }
        let empty = try await Self.reply("gzip", [])
        #expect(try await empty.decodedBody().collect(upTo: 10) == [])
    }

    @Test func `a whole answer is asked for compressed, and its limit is the one of what comes out`() async throws {
        let head = HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"])
        let packed = try Deflate.compress(Self.text, as: .gzip)
        let http = ScriptedHTTPTransport([.response(head, chunks: [packed]), .response(head, chunks: [packed])])
        let request = try HTTPBaseURL("http://h").request(.get, "/")
        #expect(try await http.answer(to: request, upTo: Self.text.count).body == Self.text)
        #expect(http.requests[0].head.headerFields[.acceptEncoding] == "gzip, deflate")
        let error = await #expect(throws: TransportError.self) {
            _ = try await http.answer(to: request, upTo: Self.text.count - 1)
        }
        #expect(error?.code == .outputTooLarge)
    }

    @Test func `what cannot be read is refused, and a bomb is stopped`() async throws {
        for coding in ["br", "gzip, gzip", "gzip, br"] {
            let reply = try await Self.reply(coding, Self.text)
            let error = #expect(throws: TransportError.self) { try reply.decodedBody() }
            #expect(error?.code == .httpUnknownCoding)
        }
        let packed = try Deflate.compress([UInt8](repeating: 0, count: 1 << 20), as: .gzip)
        for (body, limits, code) in [
            (packed, DeflateLimits(outputBytes: 100_000), TransportError.Code.deflateTooLarge),
            (Array(packed.dropLast(3)), DeflateLimits(), .deflateTruncated),
            (Self.text, DeflateLimits(), .deflateMalformed),
        ] {
            let reply = try await Self.reply("gzip", body)
            let error = await #expect(throws: TransportError.self) {
                _ = try await reply.decodedBody(limits: limits).collect(upTo: 2 << 20)
            }
            #expect(error?.code == code)
        }
    }
}

#if HTTPClient
extension InTurn {
    @Suite(.timeLimit(.minutes(1)))
    struct HTTPDecodingOverSocketsTests {
        @Test func `a compressed answer is left alone by the transport and read by who asked for it`() async throws {
            let text = Array(String(repeating: "{\"sessions\":[]}", count: 1000).utf8)
            let packed = try Deflate.compress(text, as: .gzip)
            try await LoopbackWebServer.withServer { request in
                let takes = request.head.headerFields[.acceptEncoding] == "gzip, deflate"
                return takes
                    ? .response(HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), body: packed)
                    : .response(HTTPResponse(status: .ok), body: text)
            } body: { server in
                try await AsyncHTTPTransport.withTransport { http in
                    var request = try HTTPBaseURL("http://127.0.0.1:\(server.port)").request(.get, "/")
                    let plain = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    #expect(try await plain.body.collect(upTo: 1 << 20) == text)
                    request.acceptCompressedAnswer()
                    let raw = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    #expect(try await raw.body.collect(upTo: 1 << 20) == packed)
                    let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    #expect(try await reply.decodedBody().collect(upTo: 1 << 20) == text)
                }
            }
        }
    }
}
#endif
