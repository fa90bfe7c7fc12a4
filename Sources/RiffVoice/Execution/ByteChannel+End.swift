// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension ByteChannel {
    /// Returns the way that a failed command ended, with its last words, without a full stop. `nil` is an end of which
    /// nothing is known.
    func account(of exit: ExitStatus?) async -> String {
        var said: [UInt8] = []
        do {
            for try await bytes in diagnostics { said = Array((said + bytes).suffix(1_024)) }
        } catch {
            // The exit status is the error; what the command said only explains it.
        }
        let last = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
        let end =
            switch exit {
            case .exited(let status): "ended with status \(status)"
            case .signaled(let signal): "was ended by signal \(signal)"
            case nil: "ended"
            }
        return end + (last.map { ": \(InertText.line($0))" } ?? "")
    }
}
