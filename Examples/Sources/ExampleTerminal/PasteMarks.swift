// Riff
// SPDX-License-Identifier: Apache-2.0

/// Whether the bytes that come are within a bracketed paste: what is pasted presses no key of the program's.
package struct PasteMarks {
    private static let begin = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    package private(set) var isPasting = false
    private var tail: [UInt8] = []

    package init() {}

    /// Takes the next byte.
    package mutating func feed(_ byte: UInt8) {
        if byte == 0x1B { tail = [] }
        guard tail.count < Self.begin.count else { return }
        tail.append(byte)
        if tail == Self.begin { isPasting = true }
        if tail == Self.end { isPasting = false }
    }
}
