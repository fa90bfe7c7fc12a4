// Riff
// SPDX-License-Identifier: Apache-2.0

/// The class of a character in the rules of emphasis.
enum CharacterClass {
    case space, punctuation, other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: self = .space
        case 0..<0x80: self = UInt8(scalar.value).isPunctuation ? .punctuation : .other
        default:
            switch scalar.properties.generalCategory {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation:
                self = .punctuation
            default: self = .other
            }
        }
    }
}

extension Bytes {
    /// The class of the character that starts at a place.
    func characterClass(at place: Int, before end: Int) -> CharacterClass {
        guard place < end else { return .space }
        let first = self[place]
        if first < 0x80 { return CharacterClass(Unicode.Scalar(first)) }
        var decoder = UTF8()
        var bytes = self[place..<Swift.min(place + 4, end)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return .space }
        return CharacterClass(scalar)
    }

    /// The class of the character that ends at a place.
    func characterClass(endingAt place: Int, from start: Int) -> CharacterClass {
        guard place > start else { return .space }
        var first = place - 1
        while first > start, self[first].isContinuation { first -= 1 }
        return characterClass(at: first, before: place)
    }
}
