// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// What an error says of the command that was late.
struct CommandNameTests {
    @Test(arguments: [
        ("sleep 10", "sleep did not"), ("API_KEY=hunter2 sleep 10", "sleep did not"),
        ("API_KEY='hunter2 two' sleep 10", "The command did not"),
        ("A=$(echo hunter2) sleep 10", "The command did not"),
        ("'sleep' 10 # hunter2", "The command did not"), ("  A=1 B=2 sleep 10", "sleep did not"),
    ])
    func `a late command is told by its program, and nothing else of it`(_ command: String, _ words: String)
        async throws
    {
        let host = LocalHostSession(shell: "/bin/sh")
        let error = await transportError { _ = try await host.run(command, timeout: .milliseconds(50)) }
        #expect(error?.code == .timeout)
        #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "-")")
        #expect(error?.message.contains("hunter2") == false)
    }
}
