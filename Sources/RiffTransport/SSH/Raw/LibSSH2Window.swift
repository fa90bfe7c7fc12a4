// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rule for the size of a channel's receive window, and for the time to open it: wide, and small while the user
/// types.
///
/// libssh2 opens a window inside a read and by its own rule: a read of `size` bytes that finds less than three quarters
/// of the initial size + `size` left opens the window to the initial size + `size`. That rule cannot be steered: a
/// channel is opened with a small initial size and read in pieces that leave the window alone, and its opening is asked
/// for instead.
package struct LibSSH2Window: Sendable, Hashable {
    /// The number of bytes that the peer may send ahead of a typist's echo.
    package static let typingSize = 32 * 1024
    /// The smallest size that can be steered.
    package static let smallest = 16 * 1024
    private static let largestRead = 64 * 1024

    /// The size that the channel is opened with.
    package let initial: Int
    private let size: Int
    private let isSteered: Bool

    /// - Parameter size: The window's size in bytes, at least ``smallest``.
    package init(_ size: Int) {
        (initial, self.size, isSteered) = (4 * 1024, max(size, Self.smallest), true)
    }

    private init(unsteered size: Int) {
        (initial, self.size, isSteered) = (size, size, false)
    }

    /// The window of a tunnel, which libssh2 opens and keeps by itself.
    package static let tunnel = LibSSH2Window(unsteered: 2 * 1024 * 1024)

    /// The most memory that a peer can rightly make libssh2 use for what it sends before it is read. A packet costs
    /// about 90 bytes more than what is in it; no more is ever given than to a window of packets of ordinary size.
    package var queueBytes: Int { min(96 * size, 64 * 1024 * 1024) }

    private func size(isTyping: Bool) -> Int { isTyping ? min(size, Self.typingSize) : size }

    /// By how much to open the window before a read: by at least the half of its size, because each time costs a
    /// packet.
    ///
    /// - Parameters:
    ///   - left: What is left of the window, in bytes.
    ///   - isTyping: Whether somebody waits for echoes on the connection.
    /// - Returns: The number of bytes; `nil` where enough is left.
    package func opening(left: Int, isTyping: Bool) -> Int? {
        let size = size(isTyping: isTyping)
        return isSteered && left < size / 2 ? size - left : nil
    }

    /// The size of a read, in bytes, that leaves a window alone that needs no opening.
    package func readBytes(isTyping: Bool) -> Int {
        guard isSteered else { return Self.largestRead }
        return min(size(isTyping: isTyping) / 2 - initial / 4 * 3, Self.largestRead)
    }
}
