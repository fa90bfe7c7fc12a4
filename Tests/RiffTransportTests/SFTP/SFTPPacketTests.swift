// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

struct SFTPPacketTests {
    private typealias Wire = ScriptedSFTPChannel

    @Test func `packets come out whole wherever the bytes are split`() throws {
        let packets: [[UInt8]] = [[1], [101, 0, 0, 0, 7, 0, 0, 0, 0], Array(repeating: 103, count: 300)]
        let stream = packets.flatMap { Wire.frame($0) }
        for split in 0...stream.count {
            var parser = SFTPPacketParser()
            var found: [[UInt8]] = []
            for part in [stream[..<split], stream[split...]] where !part.isEmpty {
                parser.append(Array(part))
                while let packet = try parser.next() { found.append(Array(packet)) }
            }
            #expect(found == packets)
        }
        var parser = SFTPPacketParser()
        var found: [[UInt8]] = []
        for byte in stream {
            parser.append([byte])
            while let packet = try parser.next() { found.append(Array(packet)) }
        }
        #expect(found == packets)
    }

    @Test(arguments: [[0, 0, 0, 0], Array("Welcome!".utf8), [0, 4, 4, 1], [0xff, 0xff, 0xff, 0xff]])
    func `a length that no server sends is refused`(bytes: [UInt8]) {
        var parser = SFTPPacketParser()
        parser.append(bytes)
        let error = #expect(throws: TransportError.self) { try parser.next() }
        #expect(error?.code == .sftpMalformed)
    }

    @Test func `requests have the bytes of the draft`() {
        #expect(SFTPRequest.initialPacket == [0, 0, 0, 5, 1, 0, 0, 0, 3])
        let read = SFTPRequest.read([0xaa], offset: 0x0102_0304_0506_0708, count: 9)
        #expect(
            read.packet(id: 2)
                == [0, 0, 0, 22, 5, 0, 0, 0, 2, 0, 0, 0, 1, 0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9]
        )
        let open = SFTPRequest.open(path: "é", [.write, .create, .exclusive], SFTPAttributes(mode: 0o600))
        #expect(
            open.packet(id: 1)
                == [0, 0, 0, 23, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 0x2a, 0, 0, 0, 4, 0, 0, 1, 0x80]
        )
    }

    @Test func `responses decode, and every shortened one is refused or still makes sense`() throws {
        let attributes =
            Wire.number(0x8000_000f) + Wire.number(0) + Wire.number(5) + Wire.number(1) + Wire.number(2)
            + Wire.number(0o100644) + Wire.number(3) + Wire.number(4)
            + Wire.number(1) + Wire.string([1]) + Wire.string([2])
        let names = [104] + Wire.number(9) + Wire.number(1) + Wire.string([0x61]) + Wire.string([0x62]) + attributes
        let (id, response) = try SFTPResponse.decode(names[...])
        #expect(id == 9)
        guard case .names(let found) = response else { throw Unexpected() }
        #expect(found.map(\.name) == ["a"])
        let status = try #require(found.first?.attributes.status())
        #expect(status == FileStatus(kind: .file, sizeBytes: 5, permissions: 0o644, modified: 4))
        for length in 0..<names.count {
            #expect(throws: TransportError.self) { try SFTPResponse.decode(names[..<length]) }
        }
        #expect(throws: TransportError.self) { try SFTPResponse.decode([104, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]) }
        #expect(throws: TransportError.self) { try SFTPResponse.decode([77, 0, 0, 0, 1]) }
    }

    @Test func `a status without words is taken`() throws {
        let (_, response) = try SFTPResponse.decode([101, 0, 0, 0, 1, 0, 0, 0, 2])
        guard case .status(let status) = response else { throw Unexpected() }
        #expect(status.code == .noSuchFile)
        #expect(status.words == "")
    }

    private struct Unexpected: Error {}
}

struct SFTPRequestTableTests {
    @Test func `answers in any order reach those who wait`() throws {
        var table = SFTPRequestTable<String>()
        let (first, second) = (table.issue(), table.issue())
        #expect(table.await(first, "one") == nil)
        guard case .kept = try table.receive(.handle([2]), for: second) else { throw Unexpected() }
        guard case .resume("one", .handle([1])) = try table.receive(.handle([1]), for: first) else {
            throw Unexpected()
        }
        #expect(table.await(second, "two") == .handle([2]))
        #expect(table.outstanding == 0)
    }

    @Test func `a late answer is told as unwanted and frees the id`() throws {
        var table = SFTPRequestTable<String>()
        let id = table.issue()
        #expect(table.await(id, "caller") == nil)
        #expect(table.abandon(id).waiter == "caller")
        #expect(table.outstanding == 1)
        guard case .unwanted(.handle([7])) = try table.receive(.handle([7]), for: id) else { throw Unexpected() }
        #expect(table.outstanding == 0)
    }

    @Test func `an answer to nothing, or a second one, is refused`() throws {
        var table = SFTPRequestTable<String>()
        #expect(throws: TransportError.self) { try table.receive(.handle([]), for: 5) }
        let id = table.issue()
        _ = try table.receive(.handle([]), for: id)
        #expect(throws: TransportError.self) { try table.receive(.handle([]), for: id) }
    }

    private struct Unexpected: Error {}
}
