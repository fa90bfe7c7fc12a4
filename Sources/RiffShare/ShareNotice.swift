// Riff
// SPDX-License-Identifier: Apache-2.0

/// The one banner that says that something waits in the inbox. Sharing works without it: the next time the app comes to
/// the front, what waits is drained all the same.
public struct ShareNotice: Sendable, Hashable {
    /// Whether the person lets the app show banners.
    public enum Permission: Sendable, Hashable {
        /// Banners are shown.
        case granted
        /// They are not.
        case denied
        /// The permission was not asked for yet. An extension does not ask: it has no place to explain why.
        case undetermined
    }

    /// The action to take on the banner.
    public enum Action: Sendable, Hashable {
        /// Show it, in place of the one that may be there.
        case show(ShareNotice)
        /// Take away the banner with this id, if it is there.
        case withdraw(String)
        /// Nothing: banners are not allowed.
        case nothing
    }

    /// The id of the request: always the same, so that several things shared one after the other show as one banner.
    package static let id = "riff.share"

    /// The identifier of the notice.
    public var id: String { Self.id }
    /// The headline of the notice.
    public let title: String
    /// The text about the files that wait.
    public let body: String

    /// Returns the action to take, given the files that wait.
    ///
    /// - Parameters:
    ///   - waiting: What lies in the inbox.
    ///   - permission: Whether banners are allowed.
    /// - Returns: Show, withdraw or nothing.
    public static func action(waiting: [SharedMediaItem], _ permission: Permission) -> Action {
        guard permission == .granted else { return .nothing }
        guard !waiting.isEmpty else { return .withdraw(id) }
        let movies = waiting.count { $0.name.format.isMovie }
        let images = waiting.count - movies
        let parts = [count(images, "image"), count(movies, "video")].compactMap(\.self)
        let verb = waiting.count == 1 ? "waits" : "wait"
        return .show(
            ShareNotice(title: "Open in Riff", body: "\(parts.joined(separator: " and ")) \(verb) for your session.")
        )
    }

    private static func count(_ number: Int, _ noun: String) -> String? {
        number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
