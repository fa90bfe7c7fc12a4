// Riff
// SPDX-License-Identifier: Apache-2.0

/// Tells a Return that a person pressed from one that came in a burst with text.
///
/// Agents do this for terminals without bracketed paste: text that arrives faster than anybody types is pasted, and a
/// line end in it is part of the text. A program that types for a person therefore sends its Return apart.
package struct PasteBurst: Sendable {
    /// Keys nearer to each other than this belong to one burst.
    private static let gap = Duration.milliseconds(15)
    /// A Return this soon after a burst still belongs to it.
    private static let tail = Duration.milliseconds(100)
    /// Nobody types as many characters in one burst.
    private static let length = 4

    private var lastText: Duration?
    private var characters = 0

    /// No burst yet.
    package init() {}

    /// The keys as they are to be understood, given the time at which they were read.
    package mutating func interpret(_ keys: [Key], at now: Duration) -> [Key] {
        keys.map { key in
            switch key {
            case .text(let text):
                let isNear = lastText.map { now - $0 <= Self.gap } ?? false
                characters = (isNear ? characters : 0) + text.count
                lastText = now
                return key
            case .enter:
                let isNear = lastText.map { now - $0 <= Self.tail } ?? false
                guard isNear, characters >= Self.length else { return .enter }
                // A burst of several lines goes on after its line end.
                lastText = now
                return .newline
            default:
                characters = 0
                return key
            }
        }
    }
}
