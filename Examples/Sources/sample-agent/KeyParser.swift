// Riff
// SPDX-License-Identifier: Apache-2.0

/// Turns a terminal's input bytes into keys, however they are split.
package struct KeyParser: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?

    /// A parser at the start of the input.
    package init() {}

    /// Whether an escape sequence or a character is still incomplete.
    package var isWaiting: Bool { !pending.isEmpty && pasted == nil }

    /// The keys that these bytes complete.
    package mutating func feed(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        var text: [UInt8] = []
        func flushText() {
            if !text.isEmpty { keys.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        var position = 0
        while position < pending.count {
            if pasted != nil {
                guard takePaste(from: &position, into: &keys) else { break }
                continue
            }
            let byte = pending[position]
            if byte == 0x1B {
                guard let (key, length) = Self.escape(pending[position...]) else { break }
                flushText()
                position += length
                if let key { keys.append(key) } else { pasted = [] }
            } else if byte < 0x20 || byte == 0x7F {
                flushText()
                keys.append(Self.control(byte))
                position += 1
            } else {
                guard let length = Self.characterLength(pending[position...]) else { break }
                text += pending[position..<(position + length)]
                position += length
            }
        }
        flushText()
        pending.removeFirst(position)
        return keys
    }

    /// Gives up waiting: an Escape key on its own was pressed, or a character never came to its end.
    package mutating func flush() -> [Key] {
        guard isWaiting else { return [] }
        defer { pending = [] }
        return pending.first == 0x1B ? [.unknown] : [.text("\u{FFFD}")]
    }

    // MARK: Pasting

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Moves pasted bytes over; false when the paste's end has not come yet.
    private mutating func takePaste(from position: inout Int, into keys: inout [Key]) -> Bool {
        let rest = pending[position...]
        guard let start = rest.indices.first(where: { rest[$0...].starts(with: Self.pasteEnd) }) else {
            // The last bytes may be the start of the paste's end.
            let safe = Swift.max(position, pending.count - Self.pasteEnd.count + 1)
            pasted? += pending[position..<safe]
            position = safe
            return false
        }
        let bytes = (pasted ?? []) + pending[position..<start]
        keys.append(.paste(Self.plainText(bytes)))
        pasted = nil
        position = start + Self.pasteEnd.count
        return true
    }

    /// Pasted text is data: line ends become `\n`, tabs spaces, and other control characters vanish.
    package static func plainText(_ bytes: [UInt8]) -> String {
        var plain = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\r": plain.append("\n")
            case "\n": if !afterReturn { plain.append("\n") }
            case "\t": plain.append(" ")
            default: if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) { plain.append(scalar) }
            }
            afterReturn = scalar == "\r"
        }
        return String(plain)
    }

    // MARK: Sequences

    /// The key of an escape sequence and its length; a `nil` key starts a paste; `nil` when it is incomplete.
    private static func escape(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard bytes.count >= 2 else { return nil }
        let start = bytes.startIndex
        switch bytes[start + 1] {
        case 0x0D, 0x0A: return (.newline, 2)
        case UInt8(ascii: "O"):
            guard bytes.count >= 3 else { return nil }
            return (cursorKeys[bytes[start + 2]] ?? .unknown, 3)
        case UInt8(ascii: "["):
            guard let final = bytes[(start + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return nil
            }
            let parameters = String(decoding: bytes[(start + 2)..<final], as: UTF8.self)
            let length = final - start + 1
            if bytes[final] != UInt8(ascii: "~") { return (cursorKeys[bytes[final]] ?? .unknown, length) }
            if parameters == "200" { return (nil, length) }
            return (numberedKeys[parameters] ?? .unknown, length)
        default: return (.unknown, 2)
        }
    }

    private static let cursorKeys: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    ]
    private static let numberedKeys: [String: Key] = [
        "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete,
    ]

    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x01: .home
        case 0x02: .left
        case 0x03: .interrupt
        case 0x04: .endOfInput
        case 0x05: .end
        case 0x06: .right
        case 0x08, 0x7F: .backspace
        case 0x0A, 0x0D: .enter
        case 0x0B: .eraseToEnd
        case 0x0C: .redraw
        case 0x0E: .down
        case 0x10: .up
        case 0x15: .eraseToStart
        case 0x17: .eraseWord
        default: .unknown
        }
    }

    /// The bytes of the UTF-8 character at the front; `nil` when it is incomplete. A wrong byte counts as one.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let length =
            switch bytes[bytes.startIndex] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let tail = bytes.dropFirst().prefix(length - 1)
        guard tail.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return 1 }
        return tail.count == length - 1 ? length : nil
    }
}
