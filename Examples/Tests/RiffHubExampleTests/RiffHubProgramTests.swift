// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffScreen
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// The program itself, with a hub that stands in and a person in front of a terminal.
@Suite(.timeLimit(.minutes(5))) struct RiffHubProgramTests {
    /// A sentence of 2.99 seconds.
    private static let recording = URL(filePath: #filePath).appending(path: "../../../Fixtures/austen_0880.wav")
        .standardized.path(percentEncoded: false)

    /// A folder that is gone afterwards, and a hub that has heard nothing yet.
    private static func withHub(_ body: (String, StandInHub) async throws -> Void) async throws {
        let folder = "/tmp/rh-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        try await body(folder, StandInHub(sound: [UInt8](try Data(contentsOf: URL(filePath: recording)))))
    }

    private static func command(_ port: Int, _ arguments: [String]) throws -> LocalCommand {
        LocalCommand(try BuiltProgram.path("riff-hub"), arguments + ["http://127.0.0.1:\(port)"])
    }

    private static func person(_ port: Int, _ arguments: [String]) async throws -> Person {
        let terminal = LocalPTYTerminal(try command(port, arguments))
        try await terminal.connect(size: Person.size)
        return Person(terminal)
    }

    private static func duration(_ file: [UInt8]) throws -> Duration? {
        try AudioClip(file, encoding: .wav).duration()
    }

    @Test func `a voice is spawned, heard, answered by a recording and a microphone, and ended`() async throws {
        try await Self.withHub { folder, hub in
            hub.add("voice-echo", voice: "am_echo", label: "Echo", unread: 2)
            let server = try await hub.serve()
            // Behind the header of the file are its samples.
            let microphone = "tail -c +45 '\(Self.recording)'"
            let person = try await Self.person(server.port, ["--speak-to", folder, "--microphone", microphone])
            try await person.sees("riff-hub · Connected · http://127.0.0.1:\(server.port) · ClawMux 43321fe")
            try await person.sees("5 Echo ● 2 new")
            try await person.sees("Listening · Waits for you")
            #expect(person.screen.visibleText.contains("1 Sky") && person.screen.visibleText.contains("No session"))

            try await person.type("sky\r")
            try await person.sees("Spawning")
            hub.letSpawn()
            try await person.sees("Sky Hi, I'm Sky! How can I help?")
            try await person.sees("Written: \(folder)/sky-1.wav")
            try await person.sees("Listening · Tap Record")
            #expect(hub.heard("playback_done").map { $0["session_id"] } == ["voice-sky"])
            let written = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/sky-1.wav")))
            let length = try #require(try Self.duration(written))
            #expect(length > .milliseconds(2_950) && length < .milliseconds(3_050))

            try await person.type("/answer \(Self.recording)\r")
            try await person.sees("You recognized 1")
            try await person.sees("Sky You said: recognized 1")
            #expect(hub.clips == [[UInt8](try Data(contentsOf: URL(filePath: Self.recording)))])
            try await person.sees("Listening · Tap Record")

            try await person.type("\r")
            try await person.sees("Sky You said: recognized 2")
            let spoken = try #require(hub.clips.last)
            #expect(hub.clips.count == 2)
            #expect(try #require(try Self.duration(spoken)) > .milliseconds(2_800))

            try await person.type("and in writing\r")
            try await person.sees("Sky You said: and in writing")
            await hub.say("And I said something.", in: "voice-echo")
            try await person.sees("5 Echo ● 3 new, 1 to hear")

            try await person.type("/end\r")
            try await person.waits(for: "the grid") { !$0.visibleText.contains("── Sky") }
            #expect(hub.ended == ["voice-sky"])
            try await person.type("/quit\r")
            try await person.watchesTheEnd()
            await server.stop()
        }
    }

    @Test func `settings are changed one at a time, and who is muted says nothing`() async throws {
        try await Self.withHub { folder, hub in
            hub.add("voice-echo", voice: "am_echo", label: "Echo", unread: 0)
            let server = try await hub.serve()
            let person = try await Self.person(server.port, ["--silent"])
            try await person.sees("Waits for you")
            try await person.type("/settings\r")
            try await person.sees("auto_record off, auto_end on, auto_interrupt off, thinking_sounds on")
            try await person.type("/set thinking_sounds off\r")
            try await person.sees("thinking_sounds off")
            try await person.type("/set auto_end off\r")
            try await person.sees("auto_end off")
            #expect(hub.changes == [["thinking_sounds": false], ["auto_end": false]])
            try await person.type("/set auto_end perhaps\r")
            try await person.sees("! auto_end takes on or off.")

            try await person.type("/mute\r")
            try await person.sees(" · muted")
            try await person.type("5\r")
            try await person.sees("── Echo")
            try await person.type("/unmute\r")
            try await person.waits(for: "not muted") { !$0.visibleText.contains(" · muted") }
            try await person.type("not muted any more\r")
            try await person.sees("Echo You said: not muted any more")
            #expect(hub.clips.allSatisfy(\.isEmpty) && hub.clips.count <= 2)
            try await person.type("\u{3}")
            try await person.watchesTheEnd()
            await server.stop()
        }
    }

    @Test func `when the hub is back, the same voice goes on, and has what was said meanwhile once`() async throws {
        try await Self.withHub { folder, hub in
            hub.add("voice-echo", voice: "am_echo", label: "Echo", unread: 0)
            let server = try await hub.serve()
            let person = try await Self.person(server.port, ["--silent"])
            try await person.sees("Waits for you")
            try await person.type("echo\r")
            try await person.sees("Return records; or type an answer")
            await server.stop()
            try await person.sees("· Disconnected ·")
            try await person.type("are you back?\r")
            try await person.sees("Echo 1 to send")
            let again = try await hub.serve(port: server.port)
            try await person.sees("Echo You said: are you back?")
            try await person.sees("· Connected ·")
            try await person.sees("Return records; or type an answer")
            #expect(hub.heard("text").count == 1)
            try await person.type("and still there?\r")
            try await person.sees("Echo You said: and still there?")
            #expect(hub.heard("text").map { $0["text"] } == ["are you back?", "and still there?"])
            try await person.type("\u{4}")
            try await person.watchesTheEnd()
            await again.stop()
        }
    }

    /// What the program wrote, how it ended, and what it complained of.
    private static func run(
        _ port: Int,
        _ arguments: [String],
        script: String
    ) async throws -> (lines: [String], exit: RiffTransport.ExitStatus?, problem: String) {
        let process = try await LocalProcess.start(try command(port, arguments))
        try await process.write(Array(script.utf8))
        try await process.finishWriting()
        let output = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
        let problem = String(decoding: try await process.diagnostics.collect(upTo: 1 << 20), as: UTF8.self)
        let exit = try await process.exitStatus()
        await process.close()
        return (output.split(separator: "\n").map(String.init), exit, problem)
    }

    @Test func `in a pipe, each line is done before the next, and what happens is told in lines`() async throws {
        try await Self.withHub { folder, hub in
            hub.letSpawn()
            hub.add("voice-echo", voice: "am_echo", label: "Echo", unread: 2)
            let server = try await hub.serve()
            let script = """
                /open sky
                /wait listening
                /answer \(Self.recording)
                /wait listening
                and in writing
                /wait sky listening
                /set model haiku
                /end
                """
            let ran = try await Self.run(
                server.port,
                ["--speak-to", folder, "--patience", "60"],
                script: script + "\n"
            )
            #expect(ran.exit == .exited(0), "\(ran.problem)")
            let expected = [
                "connection\tconnected", "open\taf_sky", "message\taf_sky\tassistant\tHi, I'm Sky! How can I help?",
                "message\taf_sky\tuser\trecognized 1", "message\taf_sky\tassistant\tYou said: recognized 1",
                "message\taf_sky\tuser\tand in writing", "message\taf_sky\tassistant\tYou said: and in writing",
                "card\taf_sky\tinactive\t\t0",
            ]
            // In this order, and each once.
            #expect(ran.lines.filter { expected.contains($0) } == expected, "\(ran.lines)")
            #expect(ran.lines.contains("card\tam_echo\tlistening\tTap Record\t2"), "\(ran.lines)")
            #expect(ran.lines.contains { $0.hasPrefix("settings\tmodel=haiku\tauto_record=off\t") }, "\(ran.lines)")
            let sounds = (1...3).map { "sound\taf_sky\t\(folder)/sky-\($0).wav" }
            #expect(ran.lines.filter { $0.hasPrefix("sound") } == sounds)
            #expect(hub.changes == [["model": "haiku"]] && hub.ended == ["voice-sky"])
            await server.stop()
        }
    }

    @Test func `in a pipe, what went wrong by itself ends no command after it`() async throws {
        try await Self.withHub { folder, hub in
            hub.add("voice-echo", voice: "am_echo", label: "Echo", unread: 0)
            hub.remember(60, in: "voice-echo")
            let server = try await hub.serve()
            let script = "/open echo\nmishear\n/wait listening\n/older\n/end\n"
            let ran = try await Self.run(server.port, ["--silent", "--patience", "60"], script: script)
            #expect(ran.exit == .exited(0), "\(ran.problem)")
            #expect(ran.lines.contains { $0.hasPrefix("failure\thub.notTranscribed\t") }, "\(ran.lines)")
            #expect(hub.ended == ["voice-echo"])
            await server.stop()
        }
    }

    @Test func `in a pipe, the first thing that goes wrong ends it`() async throws {
        try await Self.withHub { folder, hub in
            hub.fill()
            let server = try await hub.serve()
            let ran = try await Self.run(server.port, ["--silent"], script: "/open sky\n/settings\n")
            #expect(ran.exit == .exited(1))
            #expect(ran.problem.contains("The hub has a session with the voice af_sky already"), "\(ran.problem)")
            let wrong = try await Self.run(server.port, ["--silent"], script: "/opne sky\n")
            #expect(wrong.exit == .exited(1) && wrong.problem.contains("/opne is none of these"))
            await server.stop()
        }
    }
}
