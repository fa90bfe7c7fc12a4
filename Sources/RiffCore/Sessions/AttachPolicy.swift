// Riff
// SPDX-License-Identifier: Apache-2.0

/// Which pages have a terminal, and so a channel to the host and a client of tmux: all, or those near the active one.
public struct AttachPolicy: Sendable, Hashable {
    /// The number of pages on either side of the active one that are attached, too; `nil` for all.
    public var prefetch: Int?
    /// The most pages that are attached at once; the nearest to the active one come first. The active one always is.
    public var channelBudget: Int

    /// Creates a policy.
    package init(prefetch: Int?, channelBudget: Int = 32) {
        self.prefetch = prefetch
        self.channelBudget = channelBudget
    }

    /// Every page, up to 32: turning to another page shows it at once.
    public static let eager = AttachPolicy(prefetch: nil)

    /// The active page and its neighbors, for networks where each byte counts: what the others draw is not sent.
    public static func visible(prefetch: Int = 1) -> AttachPolicy { AttachPolicy(prefetch: prefetch) }

    /// The pages to attach.
    ///
    /// - Parameters:
    ///   - count: How many pages there are.
    ///   - active: Where the active one stands.
    /// - Returns: Their places, the nearest to the active one first, the right one of two before the left one.
    public func places(of count: Int, active: Int) -> [Int] {
        let reach = max(0, min(prefetch ?? count, count))
        var places = [active]
        for distance in 0..<reach { places += [active + distance + 1, active - distance - 1] }
        return Array(places.filter { (0..<count).contains($0) }.prefix(max(1, channelBudget)))
    }
}
