// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The answer of a host's tap to a client, before the pane's bytes.
package enum TapHeader: Sendable, Hashable {
    /// The state of the tap that is read.
    package enum State: String, Sendable {
        /// More bytes come.
        case live
        /// tmux closed the pipe.
        case ended
        /// The host's disk was full.
        case full
        /// The process that takes the bytes was killed.
        case broken
    }

    /// The bytes of a tap follow, from this one on.
    case bytes(State, tap: String, from: UInt64, kept: TapContents? = nil)
    /// There are none, and why, in the script's words.
    case refused(String)
}

/// Finds the header in a channel's output, after what a login profile wrote.
package struct TapHeaderParser: Sendable {
    private var splitter = LineSplitter(limitBytes: 16384, overflow: .keepsBeginning, stripsCR: false)
    private let marker: [UInt8]
    private var isMarked = false

    /// Creates a parser.
    ///
    /// - Parameter marker: The line before the header.
    package init(marker: String) { self.marker = Array(marker.utf8) }

    /// Takes bytes until the header is complete.
    ///
    /// - Parameter bytes: The next bytes; those after the header are left in it.
    /// - Returns: The header, once.
    /// - Throws: ``KitError`` with `failed` if it is none.
    package mutating func next(in bytes: inout ArraySlice<UInt8>) throws(KitError) -> TapHeader? {
        while let line = splitter.next(in: &bytes) {
            guard isMarked else {
                isMarked = line.bytes.elementsEqual(marker)
                continue
            }
            let words = String(decoding: line.bytes, as: UTF8.self)
            guard let header = Self.header(words) else {
                throw KitError(.failed, "The tap on the host said \(InertText.quote(words)), which cannot be read.")
            }
            return header
        }
        return nil
    }

    private static func header(_ line: String) -> TapHeader? {
        let words = line.split(byte: " ").map(String.init)
        if words.first == "refused" { return .refused(words.dropFirst().joined(separator: " ")) }
        guard (3...6).contains(words.count), let state = TapHeader.State(rawValue: words[0]),
            let offset = UInt64(words[2])
        else { return nil }
        if words.count == 3 { return .bytes(state, tap: words[1], from: offset) }
        guard words.count > 4, let end = UInt64(words[3]), end >= offset else { return nil }
        let contents = TapContents(
            end: end,
            isCompressed: words[4].isSame(bytes: "gzip"),
            times: words.count > 5 ? TapContents.times(words[5]) : []
        )
        return .bytes(state, tap: words[1], from: offset, kept: contents)
    }
}
