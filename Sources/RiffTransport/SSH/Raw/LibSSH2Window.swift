// Riff
// SPDX-License-Identifier: Apache-2.0

/// How far a channel's receive window is opened, and when: decided by the size of each read.
///
/// libssh2 opens a window inside a read and by its own rule: a read of `size` bytes that finds less than three quarters of
/// the initial size + `size` left opens the window to the initial size + `size`. With a small initial size, a large read
/// is how to have the window opened and a small one is how to have it left alone, and the size can change while the
/// channel is open. Adjusting by hand cannot: one that a key exchange interrupts must be finished with the number that it
/// was begun with, which libssh2 does not tell.
package struct LibSSH2Window: Sendable, Hashable {
    /// Reads for one size of the window.
    private struct Reads: Hashable {
        /// The window is opened when less than this is left.
        let low: Int
        /// Leaves a window of `low` and more as it is.
        let small: Int
        /// Opens a smaller one.
        let large: Int
    }

    /// What the peer may send ahead of somebody's echo.
    package static let typingSize = 32 * 1024
    /// The largest window that can be steered, which takes a buffer of nearly its size.
    package static let largestSteered = 256 * 1024
    private static let steeredInitial = 16 * 1024

    /// What the channel is opened with.
    package let initial: Int
    private let open: Reads
    private let typing: Reads

    /// - Parameter size: The window's size in bytes. Above ``largestSteered`` and below ``typingSize`` libssh2 keeps it by
    ///   itself, between three quarters of the size and the whole.
    package init(_ size: Int) {
        guard (Self.typingSize...Self.largestSteered).contains(size) else {
            self.init(unsteered: size)
            return
        }
        self.init(
            initial: Self.steeredInitial,
            open: Self.reads(upTo: size),
            typing: Self.reads(upTo: Self.typingSize)
        )
    }

    /// A window that was opened with a size of libssh2's own choice.
    package init(unsteered size: Int) {
        let piece = min(size / 4, 64 * 1024)
        let reads = Reads(low: 0, small: piece, large: piece)
        self.init(initial: size, open: reads, typing: reads)
    }

    private init(initial: Int, open: Reads, typing: Reads) {
        (self.initial, self.open, self.typing) = (initial, open, typing)
    }

    /// A window is opened by at least the half of its size, because each time costs a packet.
    private static func reads(upTo size: Int) -> Reads {
        let low = size / 2
        return Reads(low: low, small: min(low - steeredInitial / 4 * 3, 64 * 1024), large: size - steeredInitial)
    }

    /// How much to read next.
    ///
    /// - Parameters:
    ///   - left: What is left of the window, in bytes.
    ///   - isTyping: Whether somebody waits for echoes on the connection.
    /// - Returns: The size of the read in bytes.
    package func readBytes(left: Int, isTyping: Bool) -> Int {
        let reads = isTyping ? typing : open
        return left < reads.low ? reads.large : reads.small
    }
}
