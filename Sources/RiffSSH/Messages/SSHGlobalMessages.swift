// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// RFC 4254 section 4.
package struct SSHGlobalRequestMessage: SSHMessage {
    package static let number: UInt8 = 80
    package var type: String
    package var wantsReply: Bool
    package var fields: [UInt8]

    package init(type: String, wantsReply: Bool, fields: [UInt8] = []) {
        self.type = type
        self.wantsReply = wantsReply
        self.fields = fields
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        type = try reader.readName()
        wantsReply = try reader.readBool()
        fields = Array(try reader.readRest())
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: type)
        writer.write(bool: wantsReply)
        writer.write(raw: fields)
    }
}

/// RFC 4254 section 4.
package struct SSHGlobalSuccess: SSHMessage {
    package static let number: UInt8 = 81
    package var fields: [UInt8]

    package init(fields: [UInt8] = []) { self.fields = fields }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { fields = Array(try reader.readRest()) }
    package func write(to writer: inout SSHWireWriter) { writer.write(raw: fields) }
}

/// RFC 4254 section 4.
package struct SSHGlobalFailure: SSHMessage {
    package static let number: UInt8 = 82

    package init() {}
    package init(reading reader: inout SSHWireReader) throws(CoreError) {}
    package func write(to writer: inout SSHWireWriter) {}
}
