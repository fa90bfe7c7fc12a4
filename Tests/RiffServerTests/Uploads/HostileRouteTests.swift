// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Who means harm, over real sockets, on the routes for uploads and notifications.
    @Suite(.timeLimit(.minutes(5)))
    struct HostileRouteTests {
        private static let bytes = UploadServerTests.file(2000)

        @Test func `a signature that is changed, cut or of another name lets nothing in`() async throws {
            try await UploadLab.with { lab in
                let value = try #require(try lab.request(Self.bytes).headerFields[.riffSignedRequest])
                for index in stride(from: 0, to: value.utf8.count, by: 3) {
                    var request = try lab.request(Self.bytes)
                    let own = Array(try #require(request.headerFields[.riffSignedRequest]).utf8)
                    var changed = own
                    changed[index] = changed[index] == 0x30 ? 0x31 : 0x30
                    guard changed != own else { continue }
                    request.headerFields[.riffSignedRequest] = String(decoding: changed, as: UTF8.self)
                    let answer = try await lab.http.answer(to: request, body: .bytes(Self.bytes), upTo: 1000)
                    #expect(answer.head.status.code == 401, "\(index)")
                    request.headerFields[.riffSignedRequest] = String(decoding: own.prefix(index), as: UTF8.self)
                    let cut = try await lab.http.answer(to: request, body: .bytes(Self.bytes), upTo: 1000)
                    #expect(cut.head.status.code == 401, "cut to \(index)")
                }
                var renamed = try lab.request(Self.bytes)
                renamed.headerFields[.riffFileName] = "other.png"
                let answer = try await lab.http.answer(to: renamed, body: .bytes(Self.bytes), upTo: 1000)
                #expect(answer.head.status.code == 401)
                #expect(lab.names() == [])
            }
        }

        @Test func `many who send far too much leave no file and no draft, and the next one is served`() async throws {
            try await UploadLab.with(limitBytes: 1 << 20, concurrentUploads: 8) { lab in
                let piece = [UInt8](repeating: 0x20, count: 64 * 1024)
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let pieces = AsyncThrowingStream<[UInt8], any Error> { piece }
                            var request = try lab.request([], name: "\(number).bin")
                            if number % 5 == 0 { request.headerFields[.riffSignedRequest] = nil }
                            do {
                                let body = HTTPBody.stream(pieces, length: number % 2 == 0 ? nil : 1 << 40)
                                return try await lab.http.answer(to: request, body: body, upTo: 1000).head.status.code
                            } catch is TransportError {
                                // The server closes while the body is still being sent.
                                return 0
                            }
                        }
                    }
                    return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
                }
                #expect(statuses.isSubset(of: [0, 401, 413, 503]), "\(statuses)")
                #expect(statuses.contains(413))
                try await waitUntil { lab.names().isEmpty }
                let answer = try await lab.send(Self.bytes)
                #expect(answer.status == 200)
            }
        }

        @Test func `a length that is a lie keeps nothing`() async throws {
            try await UploadLab.with { lab in
                for length in [Self.bytes.count + 1, Self.bytes.count * 1000] {
                    let (stream, writer) = ByteStream.makeStream()
                    try await writer.write(Self.bytes)
                    writer.finish()
                    let body = HTTPBody.stream(stream, length: length)
                    await #expect(throws: TransportError.self) {
                        try await lab.http.answer(to: try lab.request(Self.bytes), body: body, upTo: 1000)
                    }
                }
                try await waitUntil { lab.names().isEmpty }
            }
        }

        @Test(arguments: [
            #"{"device_id":"../x"}"#, #"{"device_id":7}"#, "{}", "[]", "", "{", #"{"device_id":""}"#,
            #"{"device_id":"\#(String(repeating: "a", count: 65))"}"#,
        ])
        func `a request for a notification that names no device is 400`(body: String) async throws {
            try await UploadLab.with { lab in
                let bytes = Array(body.utf8)
                var request = try HTTPBaseURL("http://127.0.0.1:\(lab.server.port)").request(.post, "/riff/push")
                let unsigned = try await lab.http.answer(to: request, body: .bytes(bytes), upTo: 1000)
                #expect(unsigned.head.status.code == 401)
                request.headerFields[.riffSignedRequest] =
                    SignedRequestField(
                        signing: request,
                        target: "/riff/push",
                        body: bytes,
                        with: lab.key,
                        at: WallClock.now()
                    ).value
                let answer = try await lab.http.answer(to: request, body: .bytes(bytes), upTo: 1000)
                #expect(answer.head.status.code == 400)
            }
        }
    }
}
