// Riff
// SPDX-License-Identifier: Apache-2.0

/// The version of a host's tmux, as `tmux -V` tells it.
package struct TmuxVersion: Sendable, Hashable {
    /// The number before the dot; `nil` where a build has no number of its own (`tmux master`, `tmux openbsd-7.4`).
    package let major: Int?
    /// The number after the dot.
    package let minor: Int
    /// The text after the program's name, such as `3.3a` or `next-3.5`.
    package let text: String

    /// The first version that every feature here works with: one control client tells what happens on the server, and
    /// clients can watch without a say in the size.
    package static let recommended = TmuxVersion(major: 3, minor: 2)
    /// The first version that sessions can be used with at all: it finds a session by its exact name, and has the one
    /// `mouse` option.
    package static let oldestUsable = TmuxVersion(major: 2, minor: 1)

    /// Creates a release.
    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
        text = "\(major).\(minor)"
    }

    /// Reads what `tmux -V` wrote; `nil` where that is not tmux.
    ///
    /// - Parameter line: Such as `tmux 3.3a`.
    package init?(line: some StringProtocol) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "tmux" else { return nil }
        text = String(words[1])
        let number = words[1].drop { !$0.isNumber }
        let parts = number.split(separator: ".", maxSplits: 1)
        // OpenBSD counts its own releases, and its tmux is as new as they are.
        guard !words[1].hasPrefix("openbsd"), let first = parts.first, let major = Int(first) else {
            major = nil
            minor = 0
            return
        }
        self.major = major
        minor = parts.count > 1 ? Int(parts[1].prefix { ("0"..."9").contains($0) }) ?? 0 : 0
    }

    /// Whether it is at least this release. A build without a number counts as newer than every release.
    package func isAtLeast(_ other: TmuxVersion) -> Bool {
        guard let major, let theirs = other.major else { return true }
        return (major, minor) >= (theirs, other.minor)
    }
}

extension TmuxVersion: CustomStringConvertible {
    /// `tmux 3.3a`.
    package var description: String { "tmux \(text)" }
}
