// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: the platform's audio session, which belongs to the app and to nobody in this library.
///
/// To the implementer: `activate` sets the category that the app wants (recording with playback, others ducked) and
/// makes the session active; it may fail while another app lets go of the device. `deactivate` gives it back, so that
/// others go on playing; it is no error where the session is not active.
public protocol AudioSessionOwner: Sendable {
    /// Makes the session active.
    func activate() async throws
    /// Gives it back.
    func deactivate() async throws
}

extension AudioSessionOwner {
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
        do {
            try await activate()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try Task.checkCancellation()
            try await activateAgain()
        }
        let value: Value
        do {
            value = try await body()
        } catch {
            // What the body threw says more than a session that cannot be given back.
            try? await deactivate()
            throw error
        }
        do {
            try await deactivate()
        } catch {
            throw Self.failure("be given back; other apps may stay quiet until this one is closed.", error)
        }
        return value
    }

    private func activateAgain() async throws {
        // It is not active: that this fails, too, is nothing new.
        try? await deactivate()
        do {
            try await activate()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Self.failure("be used; end a call or a recording in another app, then try again.", error)
        }
    }

    private static func failure(_ what: String, _ cause: any Error) -> VoiceError {
        VoiceError(.audioSessionFailed, "The audio of this device cannot " + what, recovery: .retry, cause: cause)
    }
}

extension VoiceErrorCode {
    /// The platform's audio session could not be made active, or given back.
    public static let audioSessionFailed = VoiceError.Code(rawValue: "audioSessionFailed")
}
