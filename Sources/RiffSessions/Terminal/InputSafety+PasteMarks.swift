// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension InputSafety {
    /// Whether the terminal was told to put marks around a paste.
    var wantsPasteMarks: Bool { state.withLock(\.screen.isPasteBracketed) }

    /// Waits for that wish.
    ///
    /// - Returns: Whether it came in time.
    func waitForPasteMarks(within limit: Duration) async throws -> Bool {
        do {
            return try await withDeadline(limit, clock: clock) {
                while true {
                    let (isWished, change) = self.state.withLock { ($0.screen.isPasteBracketed, $0.pasteWish) }
                    if isWished { return true }
                    try await change.cancellableValue()
                }
            }
        } catch is DeadlineExceeded { return false }
    }
}
