// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Testing

struct MemoryEntriesTests {
    @Test(
        arguments: [
            ("", []), ("one", ["one"]), ("one\n§\ntwo", ["one", "two"]), ("\n§\n\n§\none \n", ["one"]),
            ("a § b\n§\nc§", ["a § b", "c§"]), ("many\nlines\n§\nx", ["many\nlines", "x"]),
        ] as [(String, [String])]
    )
    func `entries are read as the agent reads them`(text: String, entries: [String]) {
        #expect(MemoryFile.Entries(text: text, limit: 10).entries == entries)
    }

    @Test func `characters are counted as the agent counts them`() {
        // e with an accent of its own is two scalars, which Python counts.
        let memory = MemoryFile.Entries(entries: ["e\u{301}🎧", " x "], limit: 14)
        #expect(memory.text == "e\u{301}🎧\n§\nx")
        #expect(memory.count == 7 && memory.usage == 0.5)
    }
}

extension HomesInTurn {
    @Suite struct MemoryFileTests {
        @Test(arguments: HomeLab.Way.available)
        func `entries are written under the agent's lock, and never over a change that was not seen`(
            way: HomeLab.Way
        ) async throws {
            try await HomeLab.with(way) { lab, session in
                let memory = lab.home(on: session).memory(.memory)
                let old = try await memory.read()
                #expect(old.memory.entries == ["The project uses Swift 6."])
                let new = try await memory.write(old.memory.entries + ["Tests are fast."], over: old)
                #expect(
                    try lab.bytes("memories/MEMORY.md") == Array("The project uses Swift 6.\n§\nTests are fast.".utf8)
                )
                #expect(FileManager.default.fileExists(atPath: lab.path + "/memories/MEMORY.md.lock"))
                try lab.write("Theirs", to: "memories/MEMORY.md")
                #expect(await dataError { try await memory.write(["Ours"], over: new) }?.code == .fileChanged)
                #expect(try lab.bytes("memories/MEMORY.md") == Array("Theirs".utf8))
                let long = [String(repeating: "x", count: 2201)]
                let theirs = try await memory.read()
                #expect(await dataError { try await memory.write(long, over: theirs) }?.code == .memoryFull)
                #expect(try lab.bytes("memories/MEMORY.md") == Array("Theirs".utf8))
            }
        }

        private static let odd =
            "\n The project uses Swift 6.  \n\u{A7}\n\tSecond,\n  in two lines \n\n\u{A7}\nCaf\u{E9} cafe\u{301}\n\u{A7}\n"
            + "\n\u{A7}\n- last\n\n"

        @Test(
            arguments: [
                (0, "The project", "The package"), (1, "in two lines", "in\ntwo lines"),
                (2, "Caf\u{E9} cafe\u{301}", "Tea"),
                (3, "- last", "- the last"),
            ] as [(Int, String, String)]
        )
        func `one entry changes, and every other byte stays`(place: Int, old: String, new: String) async throws {
            try await HomeLab.with { lab, session in
                try lab.write(Self.odd, to: "memories/MEMORY.md")
                let memory = lab.home(on: session).memory(.memory)
                let read = try await memory.read()
                #expect(read.memory.entries.count == 4)
                try await memory.write(read.memory.entries, over: read)
                #expect(try lab.bytes("memories/MEMORY.md") == Array(Self.odd.utf8))
                var entries = read.memory.entries
                entries[place] = entries[place].replacing(old, with: new)
                let written = try await memory.write(entries, over: read)
                let expected = Array(Self.odd.replacing(old, with: new).utf8)
                #expect(try lab.bytes("memories/MEMORY.md") == expected)
                #expect(written.revision == HostFile.Revision(of: expected) && written.memory.entries == entries)
                // And back, over what was written.
                try await memory.write(read.memory.entries, over: written)
                #expect(try lab.bytes("memories/MEMORY.md") == Array(Self.odd.utf8))
            }
        }

        @Test(
            arguments: [
                ("one\n", ["one", "two"], "one\n\u{A7}\ntwo\n"),
                ("one\n\u{A7}\ntwo \n\u{A7}\n three\n", ["one", "three"], "one\n\u{A7}\nthree\n"),
                (
                    "one\n\u{A7}\ntwo \n\u{A7}\n three\n", ["0", "one", "two", "three"],
                    "0\n\u{A7}\none\n\u{A7}\ntwo \n\u{A7}\n three\n"
                ),
                ("one\n", [], ""), ("", ["one"], "one"),
                ("one\r\n\u{A7}\r\ntwo\r\n", ["one", "2"], "one\r\n\u{A7}\r\n2\r\n"),
            ] as [(String, [String], String)]
        )
        func `entries come and go between the others' own bytes`(
            text: String,
            entries: [String],
            expected: String
        ) async throws {
            try await HomeLab.with { lab, session in
                try lab.write(text, to: "memories/MEMORY.md")
                let memory = lab.home(on: session).memory(.memory)
                try await memory.write(entries, over: try await memory.read())
                let bytes = try lab.bytes("memories/MEMORY.md")
                #expect(bytes == Array(expected.utf8), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }

        @Test func `a file that is not UTF-8 is refused, and stays as it is`() async throws {
            try await HomeLab.with { lab, session in
                let bytes: [UInt8] = Array("one\n\u{A7}\ntw".utf8) + [0xFF, 0xE9, 0x0A]
                try Data(bytes).write(to: URL(fileURLWithPath: lab.path + "/memories/MEMORY.md"))
                let memory = lab.home(on: session).memory(.memory)
                #expect(await dataError { _ = try await memory.read() }?.code == .fileMalformed)
                #expect(try lab.bytes("memories/MEMORY.md") == bytes)
            }
        }

        @Test func `what is over the limit already may become shorter`() async throws {
            try await HomeLab.with { lab, session in
                try lab.write(String(repeating: "x", count: 2000), to: "memories/USER.md")
                let user = lab.home(on: session).memory(.user)
                let old = try await user.read()
                #expect(old.memory.usage > 1)
                let shorter = try await user.write([String(repeating: "x", count: 1500)], over: old)
                #expect(shorter.memory.count == 1500)
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `missing directories in a home or a project are made, and neither of them is`(way: HomeLab.Way)
            async throws
        {
            try await HomeLab.with(way, copying: false) { lab, session in
                let home = lab.home(on: session)
                let user = home.memory(.user)
                try await user.write(["Is called Kim."], over: try await user.read())
                #expect(try lab.bytes("memories/USER.md") == Array("Is called Kim.".utf8))
                let registry = try await home.projects.add(
                    "p",
                    at: lab.path + "/p",
                    since: try await home.projects.read()
                )
                let project = try #require(registry.projects.first)
                let command = try home.slashCommandFile("greet", of: project)
                await #expect(throws: TransportError.self) { try await command.replace(with: [1], expecting: .absent) }
                #expect(!FileManager.default.fileExists(atPath: project.path))
                try FileManager.default.createDirectory(atPath: project.path, withIntermediateDirectories: true)
                _ = try await command.replace(with: Array("Hi".utf8), expecting: .absent)
                #expect(try lab.bytes("p/.scarf/slash-commands/greet.md") == Array("Hi".utf8))
                let missing = HermesHome(lab.path + "/none", on: session).memory(.user)
                await #expect(throws: TransportError.self) {
                    try await missing.write(["x"], over: try await missing.read())
                }
                #expect(!FileManager.default.fileExists(atPath: lab.path + "/none"))
            }
        }
    }
}
