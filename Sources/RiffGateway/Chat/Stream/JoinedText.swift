// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A text that arrives in pieces, which may part a character into its halves.
struct JoinedText: Sendable {
    /// What is there, without a half whose other one has not come.
    private(set) var text = ""
    private var high: UInt16?

    var isEmpty: Bool { text.isEmpty && high == nil }

    /// Adds a piece.
    ///
    /// - Returns: What is new in ``text``.
    mutating func append(_ piece: JSONText) -> String {
        let added = join(piece)
        text += added
        return added
    }

    /// Adds a piece that is kept elsewhere.
    ///
    /// - Returns: What is new, as far as its characters are whole.
    mutating func join(_ piece: JSONText) -> String {
        guard !piece.isEmpty else { return "" }
        let seam = seam(piece.low)
        high = piece.high
        return seam.isEmpty ? piece.text : seam + piece.text
    }

    /// Says that nothing more comes.
    ///
    /// - Returns: What is new in ``text``: U+FFFD where half of a character was missing.
    mutating func finish() -> String { append(JSONText(seam(nil))) }

    /// Returns the text that the waiting half and the next one make.
    private mutating func seam(_ low: UInt16?) -> String {
        defer { high = nil }
        guard let high, let low else { return high == nil && low == nil ? "" : "\u{FFFD}" }
        return String(decoding: [high, low], as: UTF16.self)
    }
}
