// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffScreen
import RiffTransport
import RiffVoice
import Testing

/// The program itself, with a gateway that stands in and a person in front of a terminal.
@Suite(.timeLimit(.minutes(5))) struct RiffChatProgramTests {
    /// A file that is gone afterwards.
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/rc-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        try await body(folder)
    }

    private static func command(_ port: Int, _ arguments: [String]) throws -> LocalCommand {
        var environment = ProcessInfo.processInfo.environment
        // A developer's own gateway is not this one.
        for name in environment.keys where name.hasPrefix("OPENAI_") { environment[name] = nil }
        environment["REMOTECLAW_GATEWAY_URL"] = "http://127.0.0.1:\(port)"
        return LocalCommand(try BuiltProgram.path("riff-chat"), arguments, environment: environment)
    }

    private static func person(_ port: Int, _ arguments: [String]) async throws -> Person {
        let terminal = LocalPTYTerminal(try command(port, arguments))
        try await terminal.connect(size: Person.size)
        return Person(terminal)
    }

    @Test func `an answer is drawn while it grows, cut off, kept, and gone on with the next time`() async throws {
        try await Self.withFolder { folder in
            try await StandInGateway.with { gateway, port in
                let keep = ["--keep", "\(folder)/talk.json"]
                let person = try await Self.person(port, keep)
                try await person.sees("default · $1.25 today · $5 a month · acme: session 34 %")
                try await person.type("What is there?\r")
                try await person.sees("> What is there?")
                // What is between marks of which the last is not there yet waits for it.
                try await person.sees("\nSome\n")
                #expect(!person.screen.visibleText.contains("**"))
                gateway.goOn()
                try await person.sees("The answer was cut off; /resume asks for the rest.")
                try await person.sees("bold words to begin with.")
                try await person.type("/quit\r")
                try await person.watchesTheEnd()

                let next = try await Self.person(port, keep)
                try await next.sees("The answer was cut off; /resume asks for the rest.")
                try await next.type("/resume\r")
                try await next.sees("And that is all there is to say.")
                try await next.sees("small-2 · $1.25 today")
                try await next.type("\u{3}")
                try await next.watchesTheEnd()
                let text = next.screen.visibleText
                for words in ["bold words", "1. first", "2. second"] {
                    #expect(text.components(separatedBy: words).count == 2, "\(words) in \(text)")
                }
            }
        }
    }

    @Test func `a model is chosen by its number, and a recording is understood and asked`() async throws {
        try await Self.withFolder { folder in
            let wav = try AudioClip([UInt8](repeating: 1, count: 32_000), encoding: .pcm(.speech)).asFile()
            try Data(wav.bytes).write(to: URL(filePath: "\(folder)/say.wav"))
            try await StandInGateway.with { gateway, port in
                gateway.goOn()
                let person = try await Self.person(port, ["--wav", "\(folder)/say.wav"])
                try await person.type("/model\r")
                try await person.sees("/model and a number: 1 small, 2 large")
                try await person.type("/model 2\r")
                try await person.sees("From now on large answers.")
                #expect(gateway.chosen == ["large"])
                try await person.type("/talk\r")
                try await person.sees("> what was spoken")
                #expect(gateway.clips.allSatisfy { $0 > wav.bytes.count } && gateway.clips.count == 1)
                try await person.type("/quit\r")
                try await person.watchesTheEnd()
            }
        }
    }

    @Test(.enabled(if: EchoAgent.isThere, "scripts/fetch-acp-agents was not run"))
    func `an agent of the protocol is talked to in the same way`() async throws {
        let person = try await Self.person(0, ["--", EchoAgent.python, EchoAgent.script])
        try await person.type("Say **this** back\r")
        try await person.sees("> Say **this** back\n\nSay this back\n")
        try await person.type("/resume\r")
        try await person.sees("! An agent's turn cannot be gone on with; ask it to continue.")
        try await person.type("\u{4}")
        try await person.watchesTheEnd()
    }

    @Test func `in a pipe, each line is asked, and what goes wrong is said`() async throws {
        try await StandInGateway.with { gateway, port in
            gateway.goOn()
            let process = try await LocalProcess.start(try Self.command(port, []))
            try await process.write(Array("one\n".utf8))
            try await process.finishWriting()
            let output = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
            let problem = String(decoding: try await process.diagnostics.collect(upTo: 1 << 20), as: UTF8.self)
            #expect(try await process.exitStatus() == .exited(1))
            await process.close()
            #expect(
                output == String(decoding: StandInGateway.answer.utf8.prefix(StandInGateway.cut), as: UTF8.self) + "\n"
            )
            #expect(problem.contains("The answer was cut off"))
            #expect(gateway.asked.count == 1)
        }
    }
}
