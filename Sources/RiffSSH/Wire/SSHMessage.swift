// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A message of SSH: one number, and fields that read and write themselves.
package protocol SSHMessage: Sendable {
    static var number: UInt8 { get }

    init(reading reader: inout SSHWireReader) throws(CoreError)

    func write(to writer: inout SSHWireWriter)
}

extension SSHMessage {
    /// Reads a whole payload; bytes that are left over are an error.
    package init(payload: [UInt8]) throws(SSHError) {
        do throws(CoreError) {
            var reader = SSHWireReader(payload)
            guard try reader.readByte() == Self.number else { throw SSHWireReader.malformed }
            self = try Self(reading: &reader)
            guard reader.isAtEnd else { throw SSHWireReader.malformed }
        } catch {
            throw .violation("a message of type \(Self.number) is malformed")
        }
    }

    /// The message with its number before it.
    package var payload: [UInt8] {
        var writer = SSHWireWriter()
        writer.write(byte: Self.number)
        write(to: &writer)
        return writer.bytes
    }
}

extension SSHWireReader {
    static var malformed: CoreError { CoreError(.malformedSSHData, "SSH data is malformed.") }

    /// A `string` as text for people; what is not UTF-8 is replaced.
    mutating func readText() throws(CoreError) -> String { String(decoding: try readString(), as: UTF8.self) }

    /// A `name-list`: printable ASCII names, each of at most 256 bytes, at most 512 of them.
    mutating func readNameList() throws(CoreError) -> [String] {
        let bytes = try readString()
        guard !bytes.isEmpty else { return [] }
        let names = bytes.split(separator: UInt8(ascii: ","), maxSplits: 512, omittingEmptySubsequences: false)
        guard names.count <= 512 else { throw Self.malformed }
        var list: [String] = []
        list.reserveCapacity(names.count)
        for name in names {
            // Some servers send an empty name (a comma too many); it can name nothing.
            guard name.count <= 256, name.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.malformed }
            if !name.isEmpty { list.append(String(decoding: name, as: UTF8.self)) }
        }
        return list
    }

    /// Exactly all that is left.
    mutating func readRest() throws(CoreError) -> ArraySlice<UInt8> { try readBytes(remaining.count) }
}

extension SSHWireWriter {
    mutating func write(names: [String]) { write(text: names.joined(separator: ",")) }
}

/// The numbers that are looked at before a message is read (RFC 4250 section 4.1).
enum SSHMessageNumber {
    static let transport: ClosedRange<UInt8> = 1...19
    static let negotiation: ClosedRange<UInt8> = 20...29
    static let keyExchange: ClosedRange<UInt8> = 30...49
    static let authentication: ClosedRange<UInt8> = 50...79
    static let connection: ClosedRange<UInt8> = 80...127
}
