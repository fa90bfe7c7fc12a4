// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// RFC 4254 section 5.1.
package struct SSHChannelOpen: SSHMessage {
    package static let number: UInt8 = 90
    package var type: String
    package var sender: UInt32
    package var window: UInt32
    package var packetBytes: UInt32
    /// The fields of the type.
    package var fields: [UInt8]

    package init(type: String, sender: UInt32, window: UInt32, packetBytes: UInt32, fields: [UInt8]) {
        self.type = type
        self.sender = sender
        self.window = window
        self.packetBytes = packetBytes
        self.fields = fields
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        type = try reader.readName()
        sender = try reader.readUInt32()
        window = try reader.readUInt32()
        packetBytes = try reader.readUInt32()
        fields = Array(try reader.readRest())
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: type)
        writer.write(uint32: sender)
        writer.write(uint32: window)
        writer.write(uint32: packetBytes)
        writer.write(raw: fields)
    }
}

/// RFC 4254 section 5.1.
package struct SSHChannelOpenConfirmation: SSHMessage {
    package static let number: UInt8 = 91
    package var recipient: UInt32
    package var sender: UInt32
    package var window: UInt32
    package var packetBytes: UInt32

    package init(recipient: UInt32, sender: UInt32, window: UInt32, packetBytes: UInt32) {
        self.recipient = recipient
        self.sender = sender
        self.window = window
        self.packetBytes = packetBytes
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        sender = try reader.readUInt32()
        window = try reader.readUInt32()
        packetBytes = try reader.readUInt32()
        // Fields of types that this engine does not open.
        _ = try reader.readRest()
    }

    package func write(to writer: inout SSHWireWriter) {
        for field in [recipient, sender, window, packetBytes] { writer.write(uint32: field) }
    }
}

/// RFC 4254 section 5.1.
package struct SSHChannelOpenFailure: SSHMessage {
    package static let number: UInt8 = 92
    package var recipient: UInt32
    package var reason: UInt32
    package var description: String

    package init(recipient: UInt32, reason: UInt32, description: String) {
        self.recipient = recipient
        self.reason = reason
        self.description = description
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        reason = try reader.readUInt32()
        description = try reader.readText()
        _ = try reader.readRest()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: recipient)
        writer.write(uint32: reason)
        writer.write(text: description)
        writer.write(text: "")
    }
}

/// RFC 4254 section 5.2.
package struct SSHWindowAdjust: SSHMessage {
    package static let number: UInt8 = 93
    package var recipient: UInt32
    package var bytes: UInt32

    package init(recipient: UInt32, bytes: UInt32) {
        self.recipient = recipient
        self.bytes = bytes
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        bytes = try reader.readUInt32()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: recipient)
        writer.write(uint32: bytes)
    }
}

/// RFC 4254 section 5.2.
package struct SSHChannelData: SSHMessage {
    package static let number: UInt8 = 94
    package var recipient: UInt32
    package var data: ArraySlice<UInt8>

    package init(recipient: UInt32, data: ArraySlice<UInt8>) {
        self.recipient = recipient
        self.data = data
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        data = try reader.readString()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: recipient)
        writer.write(string: data)
    }
}

/// RFC 4254 section 5.2.
package struct SSHChannelExtendedData: SSHMessage {
    package static let number: UInt8 = 95
    package static let diagnostics: UInt32 = 1
    package var recipient: UInt32
    package var type: UInt32
    package var data: ArraySlice<UInt8>

    package init(recipient: UInt32, type: UInt32, data: ArraySlice<UInt8>) {
        self.recipient = recipient
        self.type = type
        self.data = data
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        type = try reader.readUInt32()
        data = try reader.readString()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: recipient)
        writer.write(uint32: type)
        writer.write(string: data)
    }
}
