// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Yams

/// Reads YAML with duplicate keys, which the parser refuses: all but the last get a name that is not asked for.
enum YAMLDuplicates {
    /// The most keys that are named otherwise, each for a reading of the whole text,
    private static let limit = 100
    /// and the most bytes that all these readings may have; the first two are free.
    private static let limitBytes = 8 << 20
    private static let mark = "\u{E000}riff-hidden-"

    /// The nodes of a text.
    ///
    /// - Throws: `YamlError`; `memory` also for very many keys that stand twice.
    static func compose(_ text: String) throws -> Node? {
        var text = text
        let readings = max(2, min(limit, limitBytes / max(1, text.utf8.count)))
        for number in 0..<readings {
            do {
                return try Yams.compose(yaml: text)
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                guard let name = names.first, let changed = hiding(name, at: context.mark, number, in: text) else {
                    throw YamlError.duplicatedKeysInMapping(duplicates: names, context: context)
                }
                text = changed
            }
        }
        throw YamlError.memory
    }

    /// Whether a key is one of those.
    static func isHidden(_ key: String) -> Bool { key.hasPrefix(mark) }

    /// The text with another name for the key at a place; `nil` where that does not stand there as it is (behind an
    /// anchor or a tag).
    private static func hiding(_ name: String, at place: Mark, _ number: Int, in text: String) -> String? {
        var scalars = text.unicodeScalars
        var index = scalars.startIndex
        var line = 1
        while line < place.line {
            guard index < scalars.endIndex else { return nil }
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            switch scalar {
            case "\r" where index < scalars.endIndex && scalars[index] == "\n": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": line += 1
            default: break
            }
        }
        guard let start = scalars.index(index, offsetBy: place.column - 1, limitedBy: scalars.endIndex),
            start < scalars.endIndex
        else { return nil }
        let isQuoted = scalars[start] == "\"" || scalars[start] == "'"
        guard isQuoted || scalars[start...].starts(with: name.unicodeScalars) else { return nil }
        let hidden = "\(mark)\(number)-".unicodeScalars
        scalars.insert(contentsOf: hidden, at: isQuoted ? scalars.index(after: start) : start)
        return String(scalars)
    }
}
