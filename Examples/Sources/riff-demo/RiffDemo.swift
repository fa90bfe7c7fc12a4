// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation

/// The main job, end to end, on real parts of this machine.
@main
struct RiffDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-demo",
        abstract: "Shows a live terminal session over SSH and tmux, and speech typed into it.",
        discussion: """
            Exit 0: everything was shown. Exit 3: everything but a step that this machine cannot show; a line says which. \
            `scripts/demo` builds what this needs and starts it.
            """
    )

    @Flag(help: "Afterwards hand this terminal to the session; Ctrl-] leaves.")
    var interactive = false

    @Option(name: .customLong("stt-url"), help: "Recognize speech at an OpenAI-style server instead of offline.")
    var speechURL: String?

    @Option(help: "Write a picture of the session's screen, an SVG, to this file.")
    var picture: String?

    func validate() throws {
        guard !interactive || PersonsTerminal.isThere else {
            throw ValidationError("--interactive needs a terminal as standard input and output.")
        }
    }

    func run() async throws {
        let choices = Demo.Choices(isInteractive: interactive, speechURL: speechURL, picturePath: picture)
        let work = Task { await Demo(choices).run() }
        let signals = Signals.stream([SIGINT, SIGTERM, SIGHUP])
        let stopping = Task {
            var first: Int32?
            for await number in signals {
                first = first ?? number
                work.cancel()
            }
            return first
        }
        let status = await work.value
        stopping.cancel()
        if let number = await stopping.value { throw ExitCode(128 + number) }
        if status != 0 { throw ExitCode(status) }
    }
}
