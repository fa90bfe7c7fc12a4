// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore

/// The used part of a provider's limits.
public struct RateLimits: Sendable, Hashable {
    /// A limit over some time. Gateways tell it in percent (of 100) or in tokens; both read the same.
    public struct Window: Sendable, Hashable {
        /// The amount that is used.
        public let used: Double
        /// The limit of the amount; 0 if it is not known.
        public let limit: Double
        /// The time at which it begins again, in seconds since 1970-01-01 UTC; `nil` if the gateway does not say.
        public let resetsAt: Double?

        /// A window; for tests and previews.
        package init(used: Double, limit: Double, resetsAt: Double? = nil) {
            (self.used, self.limit, self.resetsAt) = (used, limit, resetsAt)
        }

        /// The part that is used, in percent, rounded; 0 if the limit is not known. It may be more than 100.
        public var percent: Int {
            guard limit > 0, used.isFinite, limit.isFinite else { return 0 }
            return Int(min(max(used / limit * 100, 0), 1_000_000).rounded())
        }

        /// Whether the limit is used up: nothing is answered until the window begins again.
        public var isPaused: Bool { percent >= 100 }

        /// Returns the time until the window begins again; `nil` if that is not known, zero if it is over.
        package func untilReset(at now: Double) -> Duration? {
            resetsAt.map { .seconds(min(max(0, $0 - now), 1e12)) }
        }
    }

    /// The name of the provider.
    public let provider: String
    /// The limit of some hours, where there is data.
    public let session: Window?
    /// The limit of a week, where there is data.
    public let weekly: Window?
    /// Why there is no data, where the gateway says so.
    public let problem: String?

    /// Limits; for tests and previews.
    package init(provider: String, session: Window? = nil, weekly: Window? = nil, problem: String? = nil) {
        (self.provider, self.session, self.weekly, self.problem) = (provider, session, weekly, problem)
    }

    /// Whether one of the limits is used up.
    public var isPaused: Bool { session?.isPaused == true || weekly?.isPaused == true }

    init?(json: JSONValue, provider: String?) {
        guard let name = json["provider"]?.text ?? provider else { return nil }
        func window(_ name: String) -> Window? {
            guard let json = json[name], let used = json["used"]?.double else { return nil }
            return Window(
                used: used,
                limit: json["limit"]?.double ?? 100,
                resetsAt: json["resetsAt"]?.text.flatMap(Self.time)
            )
        }
        self.init(
            provider: name,
            session: window("session"),
            weekly: window("weekly"),
            problem: json["error"]?.text ?? json["error"]?["message"]?.text
        )
    }

    /// A time of ISO 8601, with or without parts of a second.
    private static func time(_ text: String) -> Double? {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        return styles.lazy.compactMap { try? $0.parse(text) }.first?.timeIntervalSince1970
    }
}
