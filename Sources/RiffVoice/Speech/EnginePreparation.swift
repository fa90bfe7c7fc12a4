// Riff
// SPDX-License-Identifier: Apache-2.0

/// How far an engine is with making itself ready.
public struct EnginePreparation: Sendable, Hashable {
    /// What it does; an open set.
    public struct Step: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reads its model.
        package static let loading = Step(rawValue: "loading")
        /// Works once on nothing, since the first time is slower than the others.
        package static let warmingUp = Step(rawValue: "warmingUp")
        /// Is ready.
        public static let ready = Step(rawValue: "ready")
    }

    /// What it does now.
    public let step: Step
    /// How much is behind it, 0 to 1; a guess from how long the steps usually take.
    public let fraction: Double

    /// Creates a state of a preparation.
    public init(_ step: Step, fraction: Double) {
        self.step = step
        self.fraction = fraction
    }

    /// The end of every preparation.
    public static let ready = EnginePreparation(.ready, fraction: 1)
}
