// Riff
// SPDX-License-Identifier: Apache-2.0

/// The ranges of a JSON text's values in its bytes. The text was parsed before, so that nothing in it surprises.
struct JSONSpans {
    /// A member of an object: its name with the quotes, and its value.
    struct Member {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]

    /// The range of the whole value, without the white space around it.
    var root: Range<Int> {
        let start = skipSpace(from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        return start..<end(ofValueAt: start)
    }

    func isObject(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "{") }
    func isArray(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "[") }

    /// The members of an object, in order, those of one name all of them.
    func members(of object: Range<Int>) -> [Member] {
        var found: [Member] = []
        var at = skipSpace(from: object.lowerBound + 1)
        while bytes[at] == UInt8(ascii: "\"") {
            let name = at..<end(ofTextAt: at)
            let colon = skipSpace(from: name.upperBound)
            let start = skipSpace(from: colon + 1)
            let value = start..<end(ofValueAt: start)
            found.append(Member(name: name, value: value))
            at = skipSpace(from: value.upperBound)
            if bytes[at] == UInt8(ascii: ",") { at = skipSpace(from: at + 1) }
        }
        return found
    }

    /// The elements of a list, in order.
    func elements(of array: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var at = skipSpace(from: array.lowerBound + 1)
        while bytes[at] != UInt8(ascii: "]") {
            let element = at..<end(ofValueAt: at)
            found.append(element)
            at = skipSpace(from: element.upperBound)
            if bytes[at] == UInt8(ascii: ",") { at = skipSpace(from: at + 1) }
        }
        return found
    }

    func skipSpace(from place: Int) -> Int {
        var at = place
        while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
        return at
    }

    /// The space that ends at a place.
    func space(before place: Int) -> Range<Int> {
        var at = place
        while at > 0, Self.isSpace(bytes[at - 1]) { at -= 1 }
        return at..<place
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func end(ofValueAt start: Int) -> Int {
        switch bytes[start] {
        case UInt8(ascii: "\""): return end(ofTextAt: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return end(ofNestAt: start)
        default:
            var at = start
            while at < bytes.count, !Self.isSpace(bytes[at]), ![0x2C, 0x5D, 0x7D].contains(bytes[at]) { at += 1 }
            return at
        }
    }

    private func end(ofTextAt start: Int) -> Int {
        var at = start + 1
        while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return at + 1
    }

    private func end(ofNestAt start: Int) -> Int {
        var at = start
        var depth = 0
        while true {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at = end(ofTextAt: at)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            at += 1
            if depth == 0 { return at }
        }
    }
}
