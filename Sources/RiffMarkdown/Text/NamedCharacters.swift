// Riff
// SPDX-License-Identifier: Apache-2.0

/// HTML's named characters, such as `amp` for `&`.
enum NamedCharacters {
    /// The longest name, in bytes.
    static let longestName = 31

    /// Returns the UTF-8 of the character with a name. The comparison minds the case of letters.
    static func character(named name: some RandomAccessCollection<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            switch order(of: name, beside: middle) {
            case 0:
                let start = Int(starts[middle]) + name.count + 1
                return UnsafeBufferPointer(start: entries.utf8Start + start, count: Int(starts[middle + 1]) - start)
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }

    /// Whether a name comes before an entry's (less than 0), is it (0), or comes after.
    private static func order(of name: some RandomAccessCollection<UInt8>, beside entry: Int) -> Int {
        var place = entries.utf8Start + Int(starts[entry])
        for byte in name {
            // The semicolon behind an entry's name is less than every letter, but not less than a digit.
            let other = place.pointee == UInt8(ascii: ";") ? 0 : place.pointee
            if byte != other { return Int(byte) - Int(other) }
            place += 1
        }
        return place.pointee == UInt8(ascii: ";") ? 0 : -1
    }
}
