// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The meaning of a push service's answer ("Handling notification responses from APNs").
package enum PushVerdict: Sendable, Hashable {
    case sent
    /// The device does not take notifications any more, since a time in seconds since 1970 where that is known.
    case dead(reason: String, since: Double?)
    /// The token that says who sends is too old.
    case expired
    /// Another try may succeed.
    case again(reason: String)
    /// No other try would succeed.
    case refused(reason: String)

    /// Reads an answer.
    package init(status: Int, body: [UInt8]) {
        // An answer without a body has no reason; its status says enough.
        let answer = status == 200 ? nil : try? JSONValue(parsing: body)
        let reason = answer?["reason"]?.text.flatMap(Self.word) ?? "status \(status)"
        switch (status, reason) {
        case (200, _): self = .sent
        case (410, _):
            let since = answer?["timestamp"]?.double.flatMap { $0.isFinite && $0 > 0 ? $0 / 1000 : nil }
            self = .dead(reason: reason, since: since)
        // A token that is not for the topic is most often a topic that is not the app's: every device would be lost by
        // a slip in the server's settings.
        case (400, "BadDeviceToken"): self = .dead(reason: reason, since: nil)
        case (403, "ExpiredProviderToken"): self = .expired
        case (429, _), (500..., _): self = .again(reason: reason)
        default: self = .refused(reason: reason)
        }
    }

    /// A reason as Apple writes them; another peer's words are nobody's business.
    private static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return isWord && (1...48).contains(text.utf8.count) ? text : nil
    }
}
