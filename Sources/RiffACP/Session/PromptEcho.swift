// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds in what an agent says what the person just said: some agents repeat it, in pieces. Pure.
///
/// A piece that goes on where the one before ended is found at once. Elsewhere it is looked for a few times only, in
/// linear time: an agent may send any number of pieces.
package struct PromptEcho: Sendable, Hashable {
    private let sent: [UInt8]
    /// The place at which the next piece is expected.
    private var next = 0
    private var searches = 32

    /// An echo of a prompt's text.
    package init(of sent: String) { self.sent = Array(sent.utf8) }

    /// Whether a piece repeats some of the prompt.
    package mutating func repeats(_ piece: String) -> Bool {
        guard !piece.isEmpty else { return false }
        let count = piece.utf8.count
        if sent[next...].starts(with: piece.utf8) {
            next += count
            return true
        }
        guard searches > 0, count <= sent.count else { return false }
        searches -= 1
        guard let place = Self.place(of: Array(piece.utf8), in: sent) else { return false }
        next = place + count
        return true
    }

    /// The first place of some bytes in others (Knuth, Morris and Pratt).
    private static func place(of piece: [UInt8], in text: [UInt8]) -> Int? {
        var ends = [0]
        var length = 0
        for byte in piece.dropFirst() {
            while length > 0, piece[length] != byte { length = ends[length - 1] }
            if piece[length] == byte { length += 1 }
            ends.append(length)
        }
        length = 0
        for (place, byte) in text.enumerated() {
            while length > 0, piece[length] != byte { length = ends[length - 1] }
            if piece[length] == byte { length += 1 }
            if length == piece.count { return place + 1 - length }
        }
        return nil
    }
}
