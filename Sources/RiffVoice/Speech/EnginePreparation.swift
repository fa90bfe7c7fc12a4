// Riff
// SPDX-License-Identifier: Apache-2.0

/// The progress of an engine's preparation.
public struct EnginePreparation: Sendable, Hashable {
    /// A step of the preparation; an open set.
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

    /// The current step.
    public let step: Step
    /// The part of the preparation that is done, 0 to 1; a guess from the time that the steps usually take.
    public let fraction: Double

    /// Creates a state of a preparation.
    public init(_ step: Step, fraction: Double) {
        self.step = step
        self.fraction = fraction
    }

    /// The end of every preparation.
    public static let ready = EnginePreparation(.ready, fraction: 1)
}
