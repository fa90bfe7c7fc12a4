// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension AudioCommand {
    /// Starts it. Closing it lets it end after SIGINT for a moment only: who cancels playback wants silence now.
    func start() async throws -> any ByteChannel {
        try await LocalProcess.start(LocalCommand(program, arguments).withoutSecrets(), closeGrace: .milliseconds(250))
    }
}

/// The failure of a command that carries audio.
struct CommandFailure {
    let name: String
    let code: VoiceError.Code
    /// The action that a person can take.
    let advice: String
    let recovery: Recovery?

    /// The error of a command that ended: its name, how it ended, its last words.
    func error(_ exit: ExitStatus?, of channel: any ByteChannel) async -> VoiceError {
        let account = await channel.account(of: exit)
        return VoiceError(code, "\(name) \(account); \(advice).", recovery: recovery)
    }
}
