// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Puts parts of the SDK where a program of any language can ask them.
@main
struct Conformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Conformance",
        abstract: "Answers cases, for comparison with other implementations.",
        subcommands: [
            Agent.self, Endpoint.self, Links.self, Markdown.self, ScreenRows.self, ServerSentEvents.self,
            VoiceActivity.self,
        ]
    )
}
