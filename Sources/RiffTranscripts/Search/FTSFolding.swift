// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// Texts without the difference between upper and lower case, letter by letter, as the index of trigrams takes them.
enum FTSFolding {
    /// The name of the function in SQL.
    static let function = "riff_contains"

    /// `riff_contains(text, part)`: whether a text has a part, whatever the case of both.
    static let contains = DatabaseFunction(function, argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]), let part = String.fromDatabaseValue(values[1]) else {
            return nil
        }
        return Self.contains(text, part)
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let part = part.unicodeScalars.map { fold($0.value) }
        guard let first = part.first, text.utf8.count >= part.count else { return part.isEmpty }
        let text = text.unicodeScalars.map { fold($0.value) }
        guard text.count >= part.count else { return false }
        return text.withUnsafeBufferPointer { text in
            part.withUnsafeBufferPointer { part in
                (0...(text.count - part.count)).contains { start in
                    text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
                }
            }
        }
    }

    private static func fold(_ scalar: UInt32) -> UInt32 { scalar < 0x1_0000 ? table[Int(scalar)] : folded(scalar) }

    /// The first 65,536, since the properties of one are slow to ask for.
    private static let table: [UInt32] = (0..<0x1_0000).map { folded($0) }

    /// The lower case of the upper case, so that a final sigma is a sigma; letters that become several stay.
    private static func folded(_ value: UInt32) -> UInt32 {
        // A dotless i is not an i.
        guard value != 0x131, let scalar = Unicode.Scalar(value) else { return value }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return (single(upper.properties.lowercaseMapping) ?? upper).value
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
