// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffTesting
import RiffTransport
import Testing

/// The program itself, with a hub that has hostile words in everything that it says.
@Suite(.timeLimit(.minutes(5))) struct HostileHubTests {
    private static func withCommand(_ body: (StandInHub, LocalCommand) async throws -> Void) async throws {
        let sound = URL(filePath: #filePath).appending(path: "../../../Fixtures/austen_0880.wav").standardized
        let hub = StandInHub(sound: [UInt8](try Data(contentsOf: sound)))
        hub.addSpeaker(of: HostileWords.text, "voice-echo", voice: "am_echo")
        let server = try await hub.serve()
        let result: Result<Void, any Error>
        do {
            let program = try BuiltProgram.path("riff-hub")
            let arguments = ["--silent", "--patience", "60", "http://127.0.0.1:\(server.port)"]
            result = .success(try await body(hub, LocalCommand(program, arguments)))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    @Test func `in a pipe, nothing that a hub says is for a terminal or a part of a line of its own`() async throws {
        try await Self.withCommand { _, command in
            let process = try await LocalProcess.start(command)
            try await process.write(
                Array("/open echo\n\(HostileWords.text)\n/wait listening\n/settings\n/open nobody\n".utf8)
            )
            try await process.finishWriting()
            async let told = process.diagnostics.collect(upTo: 1 << 20)
            let output = try await process.output.collect(upTo: 1 << 20)
            let problem = try await told
            #expect(try await process.exitStatus() == .exited(1))
            await process.close()
            #expect(output.foreign(to: .pipe) == [] && problem.foreign(to: .pipe) == [])
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
            let kinds = [
                "connection", "generation", "settings", "muted", "card", "open", "message", "microphone", "failure",
            ]
            #expect(lines.allSatisfy { line in kinds.contains { line.hasPrefix("\($0)\t") } }, "\(lines)")
            #expect(
                lines.contains { $0.hasPrefix("message\tam_echo\tassistant\tYou said: \(HostileWords.left)") },
                "\(lines)"
            )
            let setting = "\t\(HostileWords.left)"
            #expect(lines.contains { $0.hasPrefix("settings\t") && $0.contains(setting) }, "\(lines)")
        }
    }

    @Test func `on a terminal, nothing that a hub says is obeyed`() async throws {
        try await Self.withCommand { hub, command in
            let terminal = LocalPTYTerminal(command)
            try await terminal.connect(size: Person.size)
            let person = Person(terminal)
            try await person.sees("Connected")
            try await person.type("echo\r")
            try await person.sees("\nEcho \(HostileWords.left)")
            await hub.say("More \(HostileWords.text)", in: "voice-echo")
            try await person.sees("\nEcho More \(HostileWords.left)")
            try await person.type("/settings\r")
            try await person.sees("auto_record off")
            try await person.type("/open nobody\r")
            try await person.sees("There is no voice nobody")
            try await person.type("/quit\r")
            try await person.watchesTheEnd()
            #expect(person.written.foreign(to: .drawing) == [])
            #expect(person.events.isEmpty)
        }
    }
}
