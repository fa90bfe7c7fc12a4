// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes JSON in one line.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    let sortsKeys: Bool

    init(sortsKeys: Bool) { self.sortsKeys = sortsKeys }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        // JSON has no way to write them; a caller that made one gets the nearest that others can read.
        case .number(let value) where !value.isFinite: bytes += "null".utf8
        case .number(let value): bytes += "\(value)".utf8
        case .numeral(let text): bytes += text.utf8
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        let members = sortsKeys ? object.sorted { $0.key < $1.key } : Array(object)
        for (place, member) in members.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.key)
            bytes.append(UInt8(ascii: ":"))
            write(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var run = 0
            for (place, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(contentsOf: utf8[run..<place])
                escape(byte)
                run = place + 1
            }
            bytes.append(contentsOf: utf8[run...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += "u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
