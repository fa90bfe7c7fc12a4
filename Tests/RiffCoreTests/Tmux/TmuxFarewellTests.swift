// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct TmuxFarewellTests {
    @Test(arguments: [
        ("\u{1B}[?1049l[detached (from session riff)]\r\n", "riff"),
        ("[detached (from session a b)]", "a b"),
        ("[detached (from session [detached (from session x)]\r\n", "x"),
    ])
    func `the session that a client was detached from is in its last words`(_ text: String, _ session: String) {
        #expect(TmuxFarewell(tail: Array(text.utf8))?.session == session)
    }

    @Test(arguments: [
        "", "[exited]\r\n", ")]", "detached (from session riff)]", "[detached (from session riff)] and on",
    ])
    func `anything else is no detaching`(_ text: String) {
        #expect(TmuxFarewell(tail: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("can't find session: riff", TmuxFailure(.sessionNotFound, subject: "riff")),
        ("can't find session: riff (another one)", TmuxFailure(.sessionReplaced, subject: "riff")),
    ])
    func `a session that is gone is told from one that was replaced`(_ words: String, _ failure: TmuxFailure) {
        #expect(TmuxFailure(diagnostics: words) == failure)
    }
}
