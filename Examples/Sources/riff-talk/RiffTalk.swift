// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffCore
import RiffTransport
import RiffVoice

/// A hands-free conversation with the agent of a host.
@main
struct RiffTalk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-talk",
        abstract: "Talks with the agent in a session of a host, without a hand on the keyboard.",
        discussion: """
            Speak; a pause ends your turn, which is typed into the session and submitted. The answer is read from the agent's \
            transcript on the host and spoken, and the microphone opens again. Questions for permission are read out: a plain \
            yes allows one once, any word of denial denies it. Ctrl-C ends the conversation; the session goes on.
            """
    )

    @OptionGroup var options: TalkOptions

    func run() async throws {
        let host = try await HostOpening(options.host).connect()
        let result: Result<Void, any Error>
        do {
            result = .success(try await Talk(host, options).run())
        } catch {
            result = .failure(error)
        }
        await host.shutdown()
        try result.get()
    }
}
