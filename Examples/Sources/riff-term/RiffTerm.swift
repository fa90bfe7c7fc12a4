// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation

/// All sessions of a host in your own terminal.
@main
struct RiffTerm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-term",
        abstract: "The sessions of a host, one at a time, in this terminal.",
        discussion: """
            Everything you type goes to the session on show, but for Ctrl-] and the key after it: n new session, x end it, \
            arrows or digits turn to another, / search in all its output, l links, d dictate, p picture, w what \
            happened while you were away, r reconnect now, q leave. Sessions \
            go on when you leave.
            """
    )

    @OptionGroup var options: TermOptions

    @MainActor
    func run() async throws {
        guard PersonsTerminal.isThere else {
            throw ExampleFailure("riff-term needs a terminal as its input and output.")
        }
        let host = try await HostOpening(options.host).connect()
        let terminal = try PersonsTerminal(isOnOtherScreen: true)
        let status: Int32
        do {
            status = try await Term(host, options, on: terminal).run()
        } catch {
            terminal.restore()
            throw error
        }
        terminal.restore()
        if status != 0 { throw ExitCode(128 + status) }
    }
}
