// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import Testing

struct HostRowsTests {
    static let bytes: [UInt8] = {
        var bytes = Array("Rn0:i20:-9223372036854775808q7:4194304r3:0.1\n".utf8)
        bytes += Array("Rt3:a\nbx4:0041b4:00ffn0:\n".utf8)
        bytes += Array("Rt7:E1.1\nR:n0:t0:i1:7\n".utf8)
        return bytes + Array("L10/2/x;-;-;abc\nEnonce.1\n".utf8)
    }()

    static let rows: [SQLRow] = [
        [.null, .integer(.min), .real(1), .real(0.1)],
        [.text("a\nb"), .text("\0A"), .blob([0, 255]), .null],
        [.text("E1.1\nR:"), .null, .text(""), .integer(7)],
    ]

    @Test(arguments: 0..<bytes.count)
    func `an answer is the same wherever it was cut`(place: Int) throws {
        var rows = HostRows(columns: 4, end: "nonce.1", limits: HermesDatabase.Limits())
        let first = try rows.feed(Array(Self.bytes[..<place]))
        #expect(first == nil)
        let answer = try #require(try rows.feed(Array(Self.bytes[place...])))
        #expect(answer.rows == Self.rows)
        #expect(answer.look == "10/2/x;-;-;abc")
    }

    @Test func `byte by byte`() throws {
        var rows = HostRows(columns: 4, end: "nonce.1", limits: HermesDatabase.Limits())
        var answer: HostRows.Answer?
        for byte in Self.bytes { answer = try rows.feed([byte]) }
        #expect(answer?.rows == Self.rows)
    }

    @Test(arguments: ["Q", "Rz1:a", "Rt-1:a", "Ri1:x", "Rx1:0", "Enonce.2\n", "Rn0:n0:n0:n0:x"])
    func `what is no answer is refused`(text: String) {
        var rows = HostRows(columns: 4, end: "nonce.1", limits: HermesDatabase.Limits())
        #expect(throws: HostRows.Malformed.unexpected) { try rows.feed(Array(text.utf8)) }
    }

    @Test func `a length beyond the limit is refused before it comes`() {
        var limits = HermesDatabase.Limits()
        limits.bytes = 100
        var rows = HostRows(columns: 1, end: "n", limits: limits)
        #expect(throws: HostRows.Malformed.tooLarge) { try rows.feed(Array("Rt301:".utf8)) }
    }

    @Test func `SQLite's refusal comes with its words`() throws {
        var rows = HostRows(columns: 1, end: "n", limits: HermesDatabase.Limits())
        let answer = try rows.feed(Array("Ri1:1\nFt4:oops\nL\nEn\n".utf8))
        #expect(answer?.failure == "oops")
    }
}
