// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A report of the Program Status Protocol (spec 0.2): `OSC 7501 ; name=value : name=value ... ST`.
package struct ProgramStatus: Sendable, Hashable {
    /// The state's word.
    package var state: String
    /// The program.
    package var app: String
    /// What a blocked program waits for.
    package var kind: String
    /// The child that the report is about; empty for the program itself.
    package var id: String
    /// The child's name, as its bytes came.
    package var title: String
    /// What it is about, decoded.
    package var message: String

    /// Creates a report.
    package init(
        state: String,
        app: String = "",
        kind: String = "",
        id: String = "",
        title: String = "",
        message: String = ""
    ) {
        self.state = state
        self.app = app
        self.kind = kind
        self.id = id
        self.title = title
        self.message = message
    }
}

/// Finds reports of the Program Status Protocol in the bytes of a terminal, split anywhere.
///
/// A report is at most 4 KiB; a longer control string is skipped to its end. Everything else passes by.
package struct ProgramStatusReader: Sendable {
    private enum Place { case ground, escape, string, stringEscape, skipped, skippedEscape }

    /// The most bytes of one control string.
    package static let limitBytes = 4096
    private static let command = Array("7501;".utf8)
    private var place = Place.ground
    private var held: [UInt8] = []

    /// Creates a reader at the beginning of a terminal's bytes.
    package init() {}

    /// Takes the next bytes.
    ///
    /// - Returns: The reports that ended in them, in order.
    package mutating func push(_ bytes: some Sequence<UInt8>) -> [ProgramStatus] {
        var found: [ProgramStatus] = []
        for byte in bytes { if let status = take(byte) { found.append(status) } }
        return found
    }

    private mutating func take(_ byte: UInt8) -> ProgramStatus? {
        switch (place, byte) {
        case (.ground, 0x1B): place = .escape
        case (.ground, _): break
        case (.escape, UInt8(ascii: "]")):
            held = []
            place = .string
        case (.escape, 0x1B): break
        case (.escape, _): place = .ground
        // BEL ends a string as ST does; CAN and SUB give it up.
        case (.string, 0x07):
            place = .ground
            return finish()
        case (.string, 0x1B): place = .stringEscape
        case (.stringEscape, UInt8(ascii: "\\")):
            place = .ground
            return finish()
        case (.string, 0x18), (.string, 0x1A), (.skipped, 0x18), (.skipped, 0x1A), (.skipped, 0x07): place = .ground
        case (.skipped, 0x1B): place = .skippedEscape
        case (.skipped, _): break
        // An escape that is no terminator begins another sequence.
        case (.stringEscape, UInt8(ascii: "]")), (.skippedEscape, UInt8(ascii: "]")):
            held = []
            place = .string
        case (.stringEscape, 0x1B), (.skippedEscape, 0x1B): place = .escape
        case (.stringEscape, _), (.skippedEscape, _): place = .ground
        case (.string, _):
            held.append(byte)
            let isOther = held.count <= Self.command.count && held.last != Self.command[held.count - 1]
            if isOther || held.count > Self.limitBytes {
                held = []
                place = .skipped
            }
        }
        return nil
    }

    private mutating func finish() -> ProgramStatus? {
        defer { held = [] }
        guard held.starts(with: Self.command) else { return nil }
        let text = String(decoding: held.dropFirst(Self.command.count), as: UTF8.self)
        var status = ProgramStatus(state: "")
        for part in text.split(byte: ":") {
            guard let sign = part.firstIndex(byte: "=") else { continue }
            let value = String(part[part.index(after: sign)...])
            switch part[..<sign] {
            case "state": status.state = value
            case "app": status.app = value
            case "kind": status.kind = value
            case "id": status.id = value
            case "title": status.title = Self.decoded(value)
            case "msg": status.message = Self.decoded(value)
            default: break
            }
        }
        // A query has no state.
        return status.state.isEmpty ? nil : status
    }

    /// Base64 with or without its padding (RFC 4648, section 4); nothing if it is none.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            guard let value = value(of: byte) else { return "" }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
