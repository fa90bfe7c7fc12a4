// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// RFC 4253 section 11.1.
package struct SSHDisconnectMessage: SSHMessage {
    package static let number: UInt8 = 1
    package var reason: UInt32
    package var description: String

    package init(reason: UInt32, description: String) {
        self.reason = reason
        self.description = description
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        reason = try reader.readUInt32()
        description = try reader.readText()
        // The language; some servers leave it out.
        _ = try reader.readRest()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: reason)
        writer.write(text: description)
        writer.write(text: "")
    }
}

/// RFC 4253 section 11.4.
package struct SSHUnimplementedMessage: SSHMessage {
    package static let number: UInt8 = 3
    package var sequence: UInt32

    package init(sequence: UInt32) { self.sequence = sequence }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { sequence = try reader.readUInt32() }
    package func write(to writer: inout SSHWireWriter) { writer.write(uint32: sequence) }
}

/// RFC 4253 section 10.
package struct SSHServiceRequestMessage: SSHMessage {
    package static let number: UInt8 = 5
    package var service: String

    package init(service: String) { self.service = service }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { service = try reader.readName() }
    package func write(to writer: inout SSHWireWriter) { writer.write(text: service) }
}

/// RFC 4253 section 10.
package struct SSHServiceAcceptMessage: SSHMessage {
    package static let number: UInt8 = 6
    package var service: String

    package init(service: String) { self.service = service }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { service = try reader.readName() }
    package func write(to writer: inout SSHWireWriter) { writer.write(text: service) }
}

/// RFC 8308 section 2.3.
package struct SSHExtensionInfoMessage: SSHMessage {
    package static let number: UInt8 = 7
    package static let limit = 64
    package var extensions: [(name: String, value: [UInt8])]

    package init(_ extensions: [(name: String, value: [UInt8])]) { self.extensions = extensions }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        extensions = []
        let count = try reader.readUInt32()
        guard count <= Self.limit else { throw SSHWireReader.malformed }
        for _ in 0..<count {
            let name = try reader.readName()
            extensions.append((name, Array(try reader.readString())))
        }
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: UInt32(extensions.count))
        for (name, value) in extensions {
            writer.write(text: name)
            writer.write(string: value)
        }
    }
}

/// The end of a key exchange (RFC 4253 section 7.3).
package struct SSHNewKeysMessage: SSHMessage {
    package static let number: UInt8 = 21

    package init() {}
    package init(reading reader: inout SSHWireReader) throws(CoreError) {}
    package func write(to writer: inout SSHWireWriter) {}
}

/// `ping@openssh.com` and its answer (OpenSSH's PROTOCOL, section 1.9).
package struct SSHPingMessage: SSHMessage {
    package static let number: UInt8 = 192
    package static let answerNumber: UInt8 = 193
    package var data: [UInt8]

    package init(data: [UInt8]) { self.data = data }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { data = Array(try reader.readString()) }
    package func write(to writer: inout SSHWireWriter) { writer.write(string: data) }
}
