// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: the platform's audio session, which belongs to the app and not to this library.
///
/// To the implementer: `activate` sets the category that the app wants (recording with playback, others ducked) and
/// makes the session active; it may fail while another app lets go of the device. `deactivate` gives it back, so that
/// others go on playing; it is no error where the session is not active. `events` begins a new sequence for each
/// caller, which ends when its reader stops; a platform that interrupts nobody need not implement it.
public protocol AudioSessionOwner: Sendable {
    /// Makes the session active.
    func activate() async throws
    /// Gives it back.
    func deactivate() async throws
    /// Returns what the system does to the session from now on.
    func events() -> AsyncStream<AudioSessionEvent>
}

extension AudioSessionOwner {
    /// Returns a sequence without events: for a platform that never interrupts.
    public func events() -> AsyncStream<AudioSessionEvent> { AsyncStream { $0.finish() } }

    /// Runs something with the session active, and gives the session back however it ends.
    ///
    /// An activation that fails is tried once more, with the session given back in between: that is what helps where
    /// another app held it.
    ///
    /// - Parameter body: What records or plays; not run where the session does not become active.
    /// - Returns: What the body returns.
    /// - Throws: ``VoiceError`` with `audioSessionFailed` where both attempts failed, or where the session cannot be
    ///   given back afterwards; what the body throws; `CancellationError`.
    public func withActiveSession<Value>(_ body: () async throws -> Value) async throws -> Value {
        if let shared = self as? SharedAudioSession {
            let hold = try await shared.hold()
            return try await givingBack(body) { try await shared.giveBack(hold) }
        }
        try await activateWithRetry()
        return try await givingBack(body) { try await self.deactivate() }
    }

    /// Makes the session active; an attempt that fails is made once more, with the session given back in between.
    ///
    /// - Throws: ``VoiceError`` with `audioSessionFailed`; `CancellationError`.
    package func activateWithRetry() async throws {
        do {
            try await activate()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try Task.checkCancellation()
            // It is not active: that this fails, too, is nothing new.
            try? await deactivate()
            do {
                try await activate()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let message = "The audio of this device cannot be used; end a call or a recording in another app, "
                throw VoiceError(.audioSessionFailed, message + "then try again.", recovery: .retry, cause: error)
            }
        }
    }
}

/// Runs something, then gives back what it needed.
///
/// - Throws: What the body throws, which says more than a session that cannot be given back; else ``VoiceError`` with
///   `audioSessionFailed`.
func givingBack<Value>(_ body: () async throws -> Value, _ giveBack: () async throws -> Void) async throws -> Value {
    let value: Value
    do {
        value = try await body()
    } catch {
        try? await giveBack()
        throw error
    }
    do {
        try await giveBack()
    } catch {
        throw VoiceError.audioNotGivenBack(error)
    }
    return value
}

extension VoiceErrorCode {
    /// The platform's audio session could not be made active, or given back.
    public static let audioSessionFailed = VoiceError.Code(rawValue: "audioSessionFailed")
    /// The system took the audio away, such as for a call or an alarm.
    public static let audioInterrupted = VoiceError.Code(rawValue: "audioInterrupted")
    /// A recording was asked for while the app is not visible.
    public static let inBackground = VoiceError.Code(rawValue: "inBackground")
}

extension VoiceError {
    static func audioNotGivenBack(_ cause: any Error) -> VoiceError {
        let message =
            "The audio of this device cannot be given back; other apps may stay quiet until this one is closed."
        return VoiceError(.audioSessionFailed, message, recovery: .retry, cause: cause)
    }

    /// Nothing is recorded while the app is not visible.
    package static var inBackground: VoiceError {
        VoiceError(.inBackground, "Nothing was recorded, since the app is in the background; open it, then record.")
    }

    /// The recording ended since the system took the audio away.
    package static var audioInterrupted: VoiceError {
        let message = "The recording ended, since a call, an alarm or another app took the audio; say the rest again."
        return VoiceError(.audioInterrupted, message, recovery: .retry)
    }
}
