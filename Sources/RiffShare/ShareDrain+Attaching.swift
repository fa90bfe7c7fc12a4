// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ShareDrain {
    /// Brings a file over at once, as the app itself does with a picture that the person chose in it. It waits its turn
    /// behind what is in the inbox already.
    ///
    /// - Parameter item: The file, which lies in the drain's inbox.
    /// - Throws: The reason why it still waits: ``CoreError`` with `shareWaiting` if no session takes keys at the
    ///   moment, else what kept it from being brought over or typed. It is tried again with the next event.
    public func attach(_ item: SharedMediaItem) async throws {
        handle(.deposited)
        await finished()
        let problem = current.problems.first { $0.item?.name == item.name || $0.item == nil }
        if let problem { throw problem.error }
        guard try await waits(item) else { return }
        throw CoreError(
            .shareWaiting,
            "The file waits for the session, which takes no keys at the moment. It is brought over by itself later.",
            recovery: .retry
        )
    }
}

extension CoreErrorCode {
    /// A shared file waits, since no session takes keys.
    public static let shareWaiting = CoreError.Code(rawValue: "shareWaiting")
}
