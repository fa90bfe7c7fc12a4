// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The text of a memory file, whose entries can be replaced with every other byte left as it is: white space around
/// entries that stay, empty entries between them, the end of the file.
struct MemoryText: Sendable, Hashable {
    let text: String
    /// The ranges of the entries, without white space around them.
    private let ranges: [Range<String.Index>]

    init(_ text: String) {
        self.text = text
        ranges = Self.pieces(of: text).compactMap { Self.trimmed(text[$0]) }
    }

    /// A file's bytes.
    ///
    /// - Throws: ``DataError`` with `fileMalformed` where they are not UTF-8: the agent does not read them either, and
    ///   what is read as something else cannot be written back.
    init(_ bytes: [UInt8], path: String) throws(DataError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DataError(.fileMalformed, "\(path) is not UTF-8; repair it, or move it away.")
        }
        self.init(text)
    }

    var entries: [String] { ranges.map { String(text[$0]) } }

    /// The text with these entries instead.
    func replacing(with new: [String]) -> MemoryText {
        guard let first = ranges.first, let last = ranges.last, !new.isEmpty else {
            return MemoryText(new.joined(separator: MemoryFile.Entries.separator))
        }
        let places = Self.places(of: new.map { Array($0.utf8) }, in: ranges.map { Array(text[$0].utf8) })
        var result = String(text[..<first.lowerBound])
        for (number, entry) in new.enumerated() {
            if number > 0 {
                let (before, here) = (places[number - 1], places[number])
                if let before, let here, here == before + 1 {
                    result += text[ranges[before].upperBound..<ranges[here].lowerBound]
                } else {
                    result += separator
                }
            }
            result += entry
        }
        return MemoryText(result + text[last.upperBound...])
    }

    /// The text between two entries, with the line ends that the file has.
    private var separator: String {
        text.utf8.contains(0x0D) && text.unicodeScalars.firstRange(of: ["\r", "\n"]) != nil
            ? "\r\n\u{A7}\r\n" : MemoryFile.Entries.separator
    }

    /// Which old entry each new one is, or takes the place of; `nil` for one that was added.
    private static func places(of new: [[UInt8]], in old: [[UInt8]]) -> [Int?] {
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let added = Set(difference.insertions.map(offset))
        var places: [Int?] = []
        var (here, there) = (0, 0)
        while here < new.count {
            var count = 0
            while added.contains(here + count) { count += 1 }
            var gone = 0
            while removed.contains(there + gone) { gone += 1 }
            // As many for as many: each was edited.
            for place in 0..<count { places.append(count == gone ? there + place : nil) }
            here += count
            there += gone
            guard here < new.count else { break }
            places.append(there)
            here += 1
            there += 1
        }
        return places
    }

    private static func offset(_ change: CollectionDifference<[UInt8]>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// What is between the lines `§`. The agent reads every end of a line (`\n`, `\r\n`, `\r`) as the same.
    private static func pieces(of text: String) -> [Range<String.Index>] {
        let bytes = text.utf8
        var pieces: [Range<String.Index>] = []
        var start = bytes.startIndex
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: 0xC2) {
            rest = bytes[bytes.index(after: mark)...]
            guard rest.first == 0xA7 else { continue }
            let behind = bytes.index(after: rest.startIndex)
            guard let from = endOfLine(before: mark, since: start, bytes), let to = endOfLine(at: behind, bytes) else {
                continue
            }
            pieces.append(start..<from)
            (start, rest) = (to, bytes[to...])
        }
        return pieces + [start..<bytes.endIndex]
    }

    private static func endOfLine(
        before place: String.Index,
        since start: String.Index,
        _ bytes: String.UTF8View
    ) -> String.Index? {
        guard place > start else { return nil }
        let last = bytes.index(before: place)
        guard bytes[last] == 0x0A, last > start else { return bytes[last] == 0x0A || bytes[last] == 0x0D ? last : nil }
        let before = bytes.index(before: last)
        return bytes[before] == 0x0D ? before : last
    }

    private static func endOfLine(at place: String.Index, _ bytes: String.UTF8View) -> String.Index? {
        guard place < bytes.endIndex, bytes[place] == 0x0A || bytes[place] == 0x0D else { return nil }
        let next = bytes.index(after: place)
        return bytes[place] == 0x0D && next < bytes.endIndex && bytes[next] == 0x0A ? bytes.index(after: next) : next
    }

    private static func trimmed(_ piece: Substring) -> Range<String.Index>? {
        let scalars = piece.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        return first..<scalars.index(after: last)
    }
}
