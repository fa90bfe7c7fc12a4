// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension AudioCommand {
    /// Starts it. Closing it lets it end after SIGINT for a moment only: who cancels playback wants silence now.
    func start() async throws -> any ByteChannel {
        try await LocalProcess.start(LocalCommand(program, arguments), closeGrace: .milliseconds(250))
    }
}

/// How a command that carries audio failed.
struct CommandFailure {
    let name: String
    let code: VoiceError.Code
    /// What a person can do.
    let advice: String
    let recovery: Recovery?

    /// The error of a command that ended: its name, how it ended, its last words.
    func error(_ exit: ExitStatus?, of channel: any ByteChannel) async -> VoiceError {
        var said: [UInt8] = []
        do {
            for try await bytes in channel.diagnostics { said = Array((said + bytes).suffix(1_024)) }
        } catch {
            // How it ended is the error; what the command said only explains it.
        }
        let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
        let text = lines.last.map { InertText.line(String($0)) }
        let end =
            switch exit {
            case .exited(let status): "ended with status \(status)"
            case .signaled(let signal): "was ended by signal \(signal)"
            case nil: "ended"
            }
        return VoiceError(code, "\(name) \(end)\(text.map { ": \($0)" } ?? "."); \(advice).", recovery: recovery)
    }
}
