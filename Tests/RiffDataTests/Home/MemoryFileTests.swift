// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffData
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
        #expect(MemoryEntries(text: text, limit: 10).entries == entries)
    }

    @Test func `characters are counted as the agent counts them`() {
        // e with an accent of its own is two scalars, which Python counts.
        let memory = MemoryEntries(entries: ["e\u{301}🎧", " x "], limit: 14)
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
