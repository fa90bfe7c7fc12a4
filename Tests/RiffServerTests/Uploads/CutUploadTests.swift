// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(10)))
    struct CutUploadTests {
        /// What became of each upload: its path, or that the client was told of a failure.
        final class Ledger: Sendable {
            private let paths = Mutex<[Int: String]>([:])
            private let failures = Mutex(0)
            var kept: [Int: String] { paths.withLock(\.self) }
            var toldFailures: Int { failures.withLock(\.self) }
            func note(_ number: Int, _ path: String) { paths.withLock { $0[number] = path } }
            func noteFailure() { failures.withLock { $0 += 1 } }
        }

        static func file(_ number: Int) -> [UInt8] { UploadServerTests.file(number * 97 % 60_000, number) }

        private static func upload(_ number: Int, _ lab: UploadLab, _ port: Int, _ ledger: Ledger) async throws {
            let bytes = file(number)
            var request = try lab.request(bytes, name: "\(number).png")
            request.authority = "127.0.0.1:\(port)"
            do {
                let answer = try await lab.http.answer(to: request, body: .bytes(bytes), upTo: 1000)
                try #require(answer.head.status.code == 200, "\(answer.head)")
                ledger.note(number, try #require(try JSONValue(parsing: answer.body)["path"]?.text))
            } catch is TransportError { ledger.noteFailure() }
        }

        @Test func `1,000 uploads over a line that is cut are each there whole and once, or told`() async throws {
            let ledger = Ledger()
            try await UploadLab.with(concurrentUploads: 64) { lab in
                // Every connection ends after some bytes, most of them inside a body, some behind it.
                let proxy = try await ChaosProxy.start(target: lab.server.port, seed: 7) { number in
                    let bytes = 300 + number * 9109 % 120_000
                    return .fault(number % 2 == 0 ? .reset : .cut, afterBytesToTarget: bytes)
                }
                for round in 0..<100 where ledger.kept.count < 1000 {
                    let missing = (0..<1000).filter { ledger.kept[$0] == nil }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for (place, number) in missing.enumerated() {
                            if place >= 16 { try await group.next() }
                            group.addTask { try await Self.upload(number, lab, proxy.port, ledger) }
                        }
                        try await group.waitForAll()
                    }
                    // What was begun and not finished is gone; what is there is whole, also where nobody was told.
                    try await waitUntil { lab.names().allSatisfy { !$0.hasPrefix(".") } }
                    if round > 0 { continue }
                    for name in lab.names() {
                        let number = try #require(Int(name.dropLast(4)))
                        #expect(try lab.contents("\(lab.folder)/\(name)") == Self.file(number))
                    }
                }
                await proxy.stop()
                #expect(ledger.toldFailures > 300)
                #expect(ledger.kept.count == 1000)
                #expect(Set(ledger.kept.values).count == 1000)
                // Those that came twice are there once.
                #expect(lab.names().count == 1000)
                for (number, path) in ledger.kept { #expect(try lab.contents(path) == Self.file(number)) }
                #expect(lab.reports.all.isEmpty)
            }
        }

        @Test(.enabled(if: ResidentMemory.isKnown, "this system does not tell how much memory is held"))
        func `a file of 150 MB streams with flat memory`() async throws {
            // In a process of its own, whose memory nobody else fills.
            await #expect(processExitsWith: .success) {
                let growth = try await CutUploadTests.growth(megabytes: 150)
                try #require(growth < 48 << 20, "\(growth >> 20) MB")
            }
        }

        static func growth(megabytes: Int) async throws -> Int {
            try await UploadLab.with { lab in
                let piece = [UInt8](repeating: 9, count: 1 << 20)
                var hash = BodyHash()
                for _ in 0..<megabytes { hash.update(piece) }
                var request = try lab.request([], name: "film.mov")
                request.headerFields[.riffSignedRequest] =
                    SignedRequestField(
                        signing: request,
                        target: "/riff/upload",
                        body: hash,
                        with: lab.key,
                        at: WallClock.now()
                    ).value
                let signed = request
                return try await ResidentMemory.peakGrowth {
                    let (stream, writer) = ByteStream.makeStream()
                    let sending = Task {
                        for _ in 0..<megabytes { try await writer.write(piece) }
                        writer.finish()
                    }
                    let body = HTTPBody.stream(stream, length: megabytes << 20)
                    let answer = try await lab.http.answer(to: signed, body: body, upTo: 1000)
                    try await sending.value
                    try #require(answer.head.status.code == 200)
                }
            }
        }
    }
}
