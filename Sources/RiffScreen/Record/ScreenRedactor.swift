// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Replaces secrets on screens and in texts by dots, before they are kept anywhere.
///
/// It knows the secrets that it was given, and finds what looks like one: keys by their beginnings, values by their
/// names, passwords in addresses, private keys, long random words. What it found once it knows from then on, also in
/// parts, such as when it scrolls out of sight. Rows that a terminal or a program wrapped are read as one.
///
/// A given secret shorter than four characters is not looked for. A secret that nothing tells from words is found only
/// if it was given.
public struct ScreenRedactor: Sendable {
    private var grams: SecretGrams

    /// Creates a redactor.
    ///
    /// - Parameter secrets: Secrets that are known, such as passwords and keys that the app holds.
    public init(secrets: [Secret] = []) {
        grams = SecretGrams(secrets.map { String(decoding: $0.bytes, as: UTF8.self).unicodeScalars.map(\.value) })
    }

    /// Replaces secrets on a picture; a link that has one is taken off.
    ///
    /// - Parameter picture: The picture of a screen, or of rows of its scrollback.
    /// - Returns: The picture, of the same size.
    public mutating func redacted(_ picture: ScreenPicture) -> ScreenPicture { redacted(picture, cursor: nil) }

    /// As ``redacted(_:)``; a word that is still being written at the cursor, and may become a key, is dots until it is
    /// whole.
    mutating func redacted(_ picture: ScreenPicture, cursor: (row: Int, column: Int)?) -> ScreenPicture {
        let rows = picture.rows.map { row in row.cells.map(Self.scalar) }
        let shapes = rows.map { RowShape($0, columns: picture.columns) }
        var marked = Marks(rows: rows.count, columns: rows.map(\.count).max() ?? 0)
        let wraps = picture.rows.map(\.isWrapped)
        for lines in [Self.lines(rows, shapes, wraps, isHard: false), Self.lines(rows, shapes, wraps, isHard: true)] {
            for line in lines {
                for range in SecretScanner(line.text).found {
                    grams.learn(Array(line.text[range]))
                    for place in line.places[range] { marked.add(place) }
                }
                if let cursor { Self.markOpenWord(line, cursor, &marked) }
            }
        }
        markPrivateKeys(rows, shapes, &marked)
        var (text, places): ([UInt32], [Place]) = ([], [])
        for row in rows.indices {
            for (column, scalar) in rows[row].enumerated() where scalar != 0x20 && !RowShape.isSide(scalar) {
                text.append(scalar)
                places.append(Place(row: row, column: column))
            }
        }
        for range in grams.find(in: text) { for place in places[range] { marked.add(place) } }
        var picture = picture
        for row in picture.rows.indices {
            for column in picture.rows[row].cells.indices {
                if marked.contains(Place(row: row, column: column)) { Self.hide(&picture.rows[row], column) }
                guard let link = picture.rows[row].cells[column].link else { continue }
                if redacted(link.uri) != link.uri { picture.rows[row].cells[column].link = nil }
            }
        }
        return picture
    }

    /// Marks the word before the cursor if it has eight characters or more of every kind that keys have.
    private static func markOpenWord(_ line: Line, _ cursor: (row: Int, column: Int), _ marked: inout Marks) {
        let isLast = line.places.lastIndex { place in
            place.row == cursor.row && place.column == cursor.column - 1
                || place.row == cursor.row - 1 && cursor.column == 0 && place.column == marked.columns - 1
        }
        guard let last = isLast else { return }
        var start = last + 1
        while start > 0, SecretScanner.isToken(line.text[start - 1]), line.text[start - 1] != 0x2F { start -= 1 }
        let word = line.text[start..<last + 1]
        let hasAll = word.contains { (0x61...0x7A).contains($0) } && word.contains { (0x41...0x5A).contains($0) }
        guard word.count >= 8, hasAll else { return }
        for place in line.places[start..<last + 1] { marked.add(place) }
    }

    /// Replaces secrets in a text.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The text, with three dots for each secret.
    public mutating func redacted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map(\.value)
        var marked = Array(repeating: false, count: scalars.count)
        var start = 0
        for line in scalars.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = Array(line)
            for range in SecretScanner(line).found {
                grams.learn(Array(line[range]))
                for index in range { marked[start + index] = true }
            }
            start += line.count + 1
        }
        let all = scalars.indices.filter { scalars[$0] > 0x20 }
        for range in grams.find(in: all.map { scalars[$0] }) { for index in all[range] { marked[index] = true } }
        guard marked.contains(true) else { return text }
        var result = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            guard marked[index] else {
                result.append(scalar)
                continue
            }
            if index == 0 || !marked[index - 1] { result.append(contentsOf: "•••".unicodeScalars) }
        }
        return String(result)
    }

    // MARK: Parts

    private struct Place {
        var row: Int
        var column: Int
    }

    /// The cells that are to be dots.
    private struct Marks {
        let columns: Int
        private var cells: [Bool]

        init(rows: Int, columns: Int) {
            self.columns = columns
            cells = Array(repeating: false, count: rows * columns)
        }

        mutating func add(_ place: Place) { cells[place.row * columns + place.column] = true }

        func contains(_ place: Place) -> Bool { cells[place.row * columns + place.column] }
    }

    /// Rows that are one text, and where each of its characters is.
    private struct Line {
        var text: [UInt32] = []
        var places: [Place] = []

        mutating func add(_ cells: [UInt32], _ range: Range<Int>, row: Int) {
            text += cells[range]
            places += range.map { Place(row: row, column: $0) }
        }
    }

    /// The lines of text: joined where the terminal wrapped, or where a program may have, which fills its rows.
    private static func lines(_ rows: [[UInt32]], _ shapes: [RowShape], _ wraps: [Bool], isHard: Bool) -> [Line] {
        var lines: [Line] = []
        var line = Line()
        for row in rows.indices {
            let joins = wraps[row] && row + 1 < rows.count
            let text = shapes[row].text
            if !isHard {
                let start = row > 0 && wraps[row - 1] ? 0 : text.lowerBound
                let end = joins ? rows[row].count : max(text.upperBound, start)
                line.add(rows[row], start..<end, row: row)
                if joins { continue }
            } else {
                line.add(rows[row], text, row: row)
                if joins || row + 1 < rows.count && isFull(row, shapes) { continue }
            }
            lines.append(line)
            line = Line()
        }
        if !line.text.isEmpty { lines.append(line) }
        return lines
    }

    /// Whether a program may have ended a row for want of room: no row near it in its paragraph is longer.
    private static func isFull(_ row: Int, _ shapes: [RowShape]) -> Bool {
        let (upper, lower) = (shapes[row], shapes[row + 1])
        guard !upper.tail.isEmpty, !lower.head.isEmpty else { return false }
        if upper.gap <= 4 { return true }
        let near = max(row - 3, 0)...min(row + 3, shapes.count - 1)
        return near.allSatisfy { shapes[$0].text.upperBound <= upper.text.upperBound }
    }

    /// The rows of a private key, from its beginning on.
    private mutating func markPrivateKeys(_ rows: [[UInt32]], _ shapes: [RowShape], _ marked: inout Marks) {
        var isKey = false
        for row in rows.indices {
            let text = rows[row][shapes[row].text]
            let isEdge = Self.contains(text, "-----")
            if isEdge, Self.contains(text, "BEGIN"), Self.contains(text, "PRIVATE") {
                isKey = !Self.contains(text, "END ")
                continue
            }
            guard isKey else { continue }
            if isEdge {
                isKey = false
                continue
            }
            guard text.allSatisfy({ SecretScanner.isToken($0) || $0 == 0x20 || $0 == 0x2C }) else {
                isKey = false
                continue
            }
            grams.learn(Array(text))
            for column in shapes[row].text { marked.add(Place(row: row, column: column)) }
        }
    }

    private static func contains(_ text: ArraySlice<UInt32>, _ word: String) -> Bool {
        let word = word.unicodeScalars.map(\.value)
        guard text.count >= word.count else { return false }
        return (text.startIndex...text.endIndex - word.count).contains {
            text[$0] == word[0] && text[$0..<$0 + word.count].elementsEqual(word)
        }
    }

    /// One scalar for a cell.
    private static func scalar(_ cell: ScreenCell) -> UInt32 {
        let scalars = cell.text.unicodeScalars
        guard let first = scalars.first else { return cell.width == 0 ? RowShape.letter : 0x20 }
        return scalars.count == 1 ? first.value : RowShape.letter
    }

    private static func hide(_ row: inout ScreenRow, _ column: Int) {
        var cell = row.cells[column]
        guard !cell.text.isEmpty || cell.width == 0 else { return }
        // Both halves of a wide character.
        if cell.width == 2, column + 1 < row.cells.count {
            row.cells[column + 1].text = "•"
            row.cells[column + 1].width = 1
        } else if cell.width == 0, column > 0, row.cells[column - 1].width == 2 {
            row.cells[column - 1].text = "•"
            row.cells[column - 1].width = 1
        }
        cell.text = "•"
        cell.width = 1
        row.cells[column] = cell
    }
}
