// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct SSHWireTests {
    /// The examples of RFC 4251 section 5 for numbers that are not negative.
    @Test(arguments: [
        ([] as [UInt8], [0, 0, 0, 0] as [UInt8]),
        (
            [0x09, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7],
            [0, 0, 0, 8, 0x09, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7]
        ),
        ([0x80], [0, 0, 0, 2, 0, 0x80]),
        ([0, 0, 0x7F], [0, 0, 0, 1, 0x7F]),
    ])
    func `numbers have the form of the specification`(magnitude: [UInt8], wire: [UInt8]) throws {
        var writer = SSHWireWriter()
        writer.write(mpint: magnitude)
        #expect(writer.bytes == wire)
        var reader = SSHWireReader(wire)
        #expect(try Array(reader.readMPInt()) == Array(magnitude.drop { $0 == 0 }))
        #expect(reader.isAtEnd)
    }

    @Test func `a negative number is refused`() {
        #expect(throws: CoreError.self) {
            var reader = SSHWireReader([0, 0, 0, 2, 0xED, 0xCC])
            _ = try reader.readMPInt()
        }
    }

    @Test func `what was written is read back, and nothing can be read past any cut`() throws {
        var writer = SSHWireWriter()
        writer.write(byte: 7)
        writer.write(bool: true)
        writer.write(uint32: 0xDEAD_BEEF)
        writer.write(text: "ssh-ed25519")
        writer.write(string: [1, 2, 3])
        func readAll(_ bytes: some Collection<UInt8>) throws(CoreError) -> [UInt8] {
            var reader = SSHWireReader(bytes)
            #expect(try reader.readByte() == 7)
            #expect(try reader.readBool())
            #expect(try reader.readUInt32() == 0xDEAD_BEEF)
            #expect(try reader.readName() == "ssh-ed25519")
            return Array(try reader.readString())
        }
        #expect(try readAll(writer.bytes) == [1, 2, 3])
        for length in writer.bytes.indices {
            let error = #expect(throws: CoreError.self) { try Self.drain(writer.bytes.prefix(length)) }
            #expect(error?.code == .malformedSSHData)
        }
    }

    @Test func `a failed read of a string takes nothing`() {
        var reader = SSHWireReader([0, 0, 0, 9, 1])
        #expect(throws: CoreError.self) { try reader.readString() }
        #expect(Array(reader.remaining) == [0, 0, 0, 9, 1])
    }

    private static func drain(_ bytes: some Collection<UInt8>) throws(CoreError) {
        var reader = SSHWireReader(bytes)
        _ = try reader.readByte()
        _ = try reader.readBool()
        _ = try reader.readUInt32()
        _ = try reader.readName()
        _ = try reader.readString()
    }
}
