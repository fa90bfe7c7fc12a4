// Riff
// SPDX-License-Identifier: Apache-2.0

/// When the parts of a gateway's page are asked again.
struct GatewayPagePolicy: Sendable, Hashable {
    /// A part of the page.
    enum Part: Sendable, Hashable, CaseIterable {
        case health, models, providers, limits, costs, voice

        /// The time that an answer is shown before it is asked for again.
        var interval: Duration {
            switch self {
            case .health: .seconds(15)
            case .limits, .costs: .seconds(60)
            // They change when somebody works on the gateway.
            case .models, .providers, .voice: .seconds(600)
            }
        }
    }

    private var asked: [Part: Duration] = [:]

    /// The parts that are to be asked now, in the order of the page.
    func due(at now: Duration) -> [Part] { Part.allCases.filter { dueTime(of: $0) <= now } }

    /// The time at which the next part is to be asked.
    var next: Duration { Part.allCases.map { dueTime(of: $0) }.min() ?? .zero }

    /// A part is being asked.
    mutating func begin(_ part: Part, at now: Duration) { asked[part] = now }

    /// Abandons a question: the next reader asks again.
    mutating func abandon(_ part: Part) { asked[part] = nil }

    private func dueTime(of part: Part) -> Duration { asked[part].map { $0 + part.interval } ?? .zero }
}
