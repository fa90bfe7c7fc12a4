// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words that a tmux client writes on its terminal when it is detached.
package struct TmuxFarewell: Sendable, Hashable {
    /// The session that the client was on at that moment, as tmux wrote it.
    package let session: String

    private static let opening = Array("[detached (from session ".utf8)
    private static let closing = Array(")]".utf8)

    /// Finds tmux's last words.
    ///
    /// - Parameter tail: The end of what the client wrote, at least a line; `nil` if it says nothing of a session
    ///   there.
    package init?(tail: [UInt8]) {
        var line = tail[...]
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        guard line.suffix(2).elementsEqual(Self.closing) else { return nil }
        line.removeLast(2)
        let starts = line.indices.dropLast(min(line.count, Self.opening.count - 1))
        guard let start = starts.last(where: { line[$0...].starts(with: Self.opening) }) else { return nil }
        session = String(decoding: line[(start + Self.opening.count)...], as: UTF8.self)
    }
}
