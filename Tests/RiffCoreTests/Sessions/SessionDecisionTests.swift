// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

struct SessionNameTests {
    @Test(arguments: ["riff", "riff-2", "é 日本", "a#b", "a$", "cost $5", "{x}", "-x", "a=b"])
    func `names that tmux keeps are taken`(_ name: String) throws {
        #expect(try SessionName(name).rawValue == name)
    }

    @Test(arguments: [
        "", "a.b", "a:b", "a\nb", "a\\b", "$1", "@1", "%1", "=x", "x$HOME", "x${a", "x$_", "\u{7F}", "a\u{85}",
    ])
    func `names that tmux would change or not find are refused`(_ name: String) {
        let error = #expect(throws: CoreError.self) { try SessionName(name) }
        #expect(error?.code == .invalidSessionName)
    }

    @Test func `a name is stored as text`() throws {
        let data = try JSONEncoder().encode([SessionName.base])
        #expect(String(decoding: data, as: UTF8.self) == #"["riff"]"#)
        #expect(try JSONDecoder().decode([SessionName].self, from: data) == [.base])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([SessionName].self, from: Data(#"[""]"#.utf8)) }
    }
}

struct SessionNamingTests {
    @Test(arguments: [
        ("", "", "riff-2"), ("riff", "", "riff-2"), ("riff riff-2 riff-4", "", "riff-3"), ("riff", "riff-2", "riff-3"),
        ("riff riff-3", "riff-2", "riff-4"), ("riff-2", "riff-2", "riff-3"), ("riff-02 riff-x", "riff-1", "riff-2"),
    ])
    func `the next name is the lowest that is free on the server and in memory`(
        _ server: String,
        _ memory: String,
        _ next: String
    ) throws {
        #expect(
            SessionNaming.next(server: try Sessions.names(server), memory: try Sessions.names(memory)).rawValue == next
        )
    }

    @Test func `the base comes first, each name once, the rest in their order`() throws {
        #expect(SessionNaming.ordered([]) == [.base])
        var generator = SystemRandomNumberGenerator()
        let names = try Sessions.names("riff riff-2 riff-3 other riff-2 riff")
        for _ in 0..<200 {
            let shuffled = names.shuffled(using: &generator)
            let ordered = SessionNaming.ordered(shuffled)
            #expect(ordered.first == .base)
            #expect(Set(ordered).count == ordered.count && Set(ordered) == Set(names))
            let firsts = ordered.dropFirst().compactMap { shuffled.firstIndex(of: $0) }
            #expect(firsts == firsts.sorted())
            #expect(SessionNaming.ordered(ordered) == ordered)
        }
    }
}

struct StartDirectoryTests {
    @Test(arguments: [
        ("", #""$HOME""#), ("  ", #""$HOME""#), ("~", #""$HOME""#), ("$HOME", #""$HOME""#), ("${HOME}", #""$HOME""#),
        ("~/a b", #""$HOME"'/a b'"#), ("$HOME/x", #""$HOME"/x"#), ("/srv/$HOME", "'/srv/$HOME'"), ("/", "/"),
        ("work", #""$HOME"/work"#), ("$HOMEX", #""$HOME"'/$HOMEX'"#), ("/~", "'/~'"),
    ])
    func `only the home directory is the shell's to expand`(_ text: String, _ line: String) throws {
        #expect(try StartDirectory(text).shellWord.quoted() == line)
    }

    @Test(arguments: ["~root", "~root/x", "a\0b"])
    func `another account's home and a NUL are refused`(_ text: String) {
        let error = #expect(throws: CoreError.self) { try StartDirectory(text) }
        #expect(error?.code == .invalidStartDirectory)
    }
}

struct HarnessTests {
    @Test(arguments: [
        ("", Harness.claude), ("  ", .claude), ("claude", .claude), (" claude\n", .claude), ("codex", .custom("codex")),
        ("aider --model x", .custom("aider --model x")), ("$SHELL", .custom("$SHELL")), ("Claude", .custom("Claude")),
        ("claude --resume", .custom("claude --resume")),
    ])
    func `claude or nothing is native, all else verbatim, and settings keep it`(_ text: String, _ harness: Harness) {
        #expect(Harness(text) == harness)
        #expect(Harness(harness.rawString) == harness)
    }

    @Test func `a plain tap has a spec only for a harness of one's own`() throws {
        let directory = try StartDirectory("/srv")
        #expect(NewSessionSpec.forPlainTap(directory: directory, harness: Harness("")) == nil)
        #expect(NewSessionSpec.forPlainTap(directory: directory, harness: Harness("claude")) == nil)
        let spec = NewSessionSpec.forPlainTap(directory: directory, harness: Harness("codex"))
        #expect(spec == NewSessionSpec(directory: directory, harness: .custom("codex")))
    }
}
