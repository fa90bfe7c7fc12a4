// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: the call that a hands-free conversation is to the system: CallKit's on a phone, nothing on a desktop.
///
/// To the implementer: the call owns the platform's audio session, and nobody else activates or deactivates it
/// meanwhile (``SharedAudioSession``). `begin` returns when audio is active. `events` is single-consumer and begins
/// anew with each call.
public protocol CallSession: Sendable {
    /// Begins a call.
    ///
    /// - Returns: What happens to it; ends with it.
    /// - Throws: A `RiffError` where the system refuses it; `CancellationError`.
    func begin() async throws -> AsyncStream<CallEvent>

    /// Ends it; returns when the audio is given back. Does nothing where there is none.
    func end() async

    /// Whether the conversation goes on while the app is in the background, as a call of the system's does; `false`
    /// unless implemented.
    var runsInBackground: Bool { get }
}

extension CallSession {
    /// The conversation stops while the app is in the background.
    public var runsInBackground: Bool { false }
}

/// What happens to a call from outside.
public enum CallEvent: Sendable, Hashable {
    /// The person or the system ended it, such as by the car's button.
    case ended
    /// The person muted it, or no longer.
    case muted(Bool)
    /// Audio was taken away, such as by another call, or is back.
    case audio(isActive: Bool)
}

/// No call: for a desktop, a command line, a browser.
public struct PlainCall: CallSession {
    /// A call that nothing happens to.
    public init() {}

    /// Begins at once.
    public func begin() async throws -> AsyncStream<CallEvent> { AsyncStream { _ in } }

    /// Does nothing.
    public func end() async {}
}
