// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of a button that is tapped or held: events in, effects out. Each press is one of both, once.
package struct TalkButtonMachine: Sendable {
    package enum Event: Sendable, Hashable {
        case pressed
        case released
        /// The gesture was taken away.
        case cancelled
        /// The time of a press is over.
        case held(press: Int)
    }

    package enum Effect: Sendable, Hashable {
        /// Report when the press has lasted.
        case wait(press: Int)
        case tap
        case hold
        /// The wait is not needed any more.
        case forget
    }

    private var press = 0
    private var isPressed = false
    private var isHeld = false

    package init() {}

    /// Takes an event.
    ///
    /// - Returns: What is to be done, if anything.
    package mutating func handle(_ event: Event) -> Effect? {
        switch event {
        case .pressed:
            guard !isPressed else { return nil }
            press += 1
            (isPressed, isHeld) = (true, false)
            return .wait(press: press)
        case .released:
            guard isPressed else { return nil }
            isPressed = false
            return isHeld ? nil : .tap
        case .cancelled:
            guard isPressed else { return nil }
            isPressed = false
            return isHeld ? nil : .forget
        case .held(press):
            guard isPressed, !isHeld else { return nil }
            isHeld = true
            return .hold
        case .held: return nil
        }
    }
}
