// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A message that names a channel and says nothing else (RFC 4254 sections 5.3 and 5.4).
package protocol SSHChannelSignal: SSHMessage {
    var recipient: UInt32 { get }
    init(recipient: UInt32)
}

extension SSHChannelSignal {
    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        self.init(recipient: try reader.readUInt32())
    }

    package func write(to writer: inout SSHWireWriter) { writer.write(uint32: recipient) }
}

/// No more data will come.
package struct SSHChannelEnd: SSHChannelSignal {
    package static let number: UInt8 = 96
    package let recipient: UInt32
    package init(recipient: UInt32) { self.recipient = recipient }
}

/// The channel is over.
package struct SSHChannelClose: SSHChannelSignal {
    package static let number: UInt8 = 97
    package let recipient: UInt32
    package init(recipient: UInt32) { self.recipient = recipient }
}

/// A request was granted.
package struct SSHChannelSuccess: SSHChannelSignal {
    package static let number: UInt8 = 99
    package let recipient: UInt32
    package init(recipient: UInt32) { self.recipient = recipient }
}

/// A request was refused.
package struct SSHChannelFailure: SSHChannelSignal {
    package static let number: UInt8 = 100
    package let recipient: UInt32
    package init(recipient: UInt32) { self.recipient = recipient }
}

/// RFC 4254 section 5.4.
package struct SSHChannelRequestMessage: SSHMessage {
    package static let number: UInt8 = 98
    package var recipient: UInt32
    package var type: String
    package var wantsReply: Bool
    package var fields: [UInt8]

    package init(recipient: UInt32, type: String, wantsReply: Bool, fields: [UInt8]) {
        self.recipient = recipient
        self.type = type
        self.wantsReply = wantsReply
        self.fields = fields
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        recipient = try reader.readUInt32()
        type = try reader.readName()
        wantsReply = try reader.readBool()
        fields = Array(try reader.readRest())
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: recipient)
        writer.write(text: type)
        writer.write(bool: wantsReply)
        writer.write(raw: fields)
    }
}
