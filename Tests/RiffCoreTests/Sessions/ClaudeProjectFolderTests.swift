// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

/// The names that Claude Code 2.1.331 gave to the folders of these directories.
@Suite struct ClaudeProjectFolderTests {
    @Test(arguments: [
        ("/tmp/bd/x/🚀x", "-tmp-bd-x---x"), ("/tmp/bd/x/e\u{301}", "-tmp-bd-x-e-"), ("/tmp/bd/x/é", "-tmp-bd-x--"),
        ("/home/me/a_b.c", "-home-me-a-b-c"),
    ])
    func `each unit that is no letter or digit is a hyphen`(directory: String, name: String) {
        #expect(ClaudeProjectFolder.name(of: directory) == name)
        #expect(ClaudeProjectFolder.isName(name))
    }

    @Test func `a long name is cut, and ends with a number of the path`() {
        let (a, b) = (String(repeating: "a", count: 100), String(repeating: "b", count: 120))
        let name = ClaudeProjectFolder.name(of: "/tmp/bd/x/\(a)/\(b)")
        #expect(name == "-tmp-bd-x-\(a)-\(String(repeating: "b", count: 89))-ojx96a")
        #expect(ClaudeProjectFolder.isName(name))
        // A number with a sign has none in the name.
        #expect(ClaudeProjectFolder.isName(ClaudeProjectFolder.name(of: String(repeating: "/é", count: 300))))
    }

    @Test(arguments: ["", "..", "a/b", "é", String(repeating: "a", count: 208)])
    func `what is no name of a folder is refused`(text: String) { #expect(!ClaudeProjectFolder.isName(text)) }
}
