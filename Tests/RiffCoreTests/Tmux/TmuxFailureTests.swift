// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct TmuxFailureTests {
    @Test(
        arguments: [
            ("duplicate session: riff-2\n", TmuxFailure(.duplicateSession, subject: "riff-2")),
            ("motd\r\nduplicate session: a b\r\n", TmuxFailure(.duplicateSession, subject: "a b")),
            (
                "error connecting to /tmp/tmux-1/riff (No such file or directory)",
                TmuxFailure(.noServer, subject: "/tmp/tmux-1/riff")
            ),
            ("error connecting to /tmp/x (Connection refused)", TmuxFailure(.noServer, subject: "/tmp/x")),
            ("no server running on /tmp/tmux-1/riff", TmuxFailure(.noServer, subject: "/tmp/tmux-1/riff")),
            ("server exited unexpectedly", TmuxFailure(.noServer)),
            ("can't find session: riff-9", TmuxFailure(.sessionNotFound, subject: "riff-9")),
            ("error connecting to /tmp/x (Permission denied)", nil),
            ("say duplicate session: x", nil),
            ("sh: tmux: not found", nil),
            ("", nil),
        ] as [(String, TmuxFailure?)]
    )
    func `the words tell the failure`(_ words: String, _ failure: TmuxFailure?) {
        #expect(TmuxFailure(diagnostics: words) == failure)
    }
}

struct SessionListingTests {
    @Test func `a list is read, and nothing is the empty list`() throws {
        let sessions = try SessionListing.parse(Array("$0:1700000000:1:2:riff\n$12:1700000001:0:1: a|b é\n".utf8))
        #expect(sessions.map(\.name.rawValue) == ["riff", " a|b é"])
        #expect(sessions[0] == LiveSession(name: .base, id: "$0", created: 1_700_000_000, clients: 1, windows: 2))
        #expect(try SessionListing.parse([]).isEmpty)
    }

    @Test(arguments: ["riff: 1 windows", "$0:1:1:1:", "0:1:1:1:riff", "$0:x:1:1:riff", "$0:1:1:riff"])
    func `what is no list is an error and no empty list`(_ text: String) {
        let error = #expect(throws: CoreError.self) { try SessionListing.parse(Array("$0:1:1:1:riff\n\(text)\n".utf8)) }
        #expect(error?.code == .malformedSessionList)
        #expect(error?.message.contains("Line 2") == true)
    }
}
