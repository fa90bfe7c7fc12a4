// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffTransport
import Testing

/// The program itself, with an agent that has hostile words in everything that it sends.
@Suite(.timeLimit(.minutes(5))) struct HostileAgentTests {
    /// Takes its messages from the environment; asks for permission, and ends the turn once that was answered.
    private static let script = #"""
        while IFS= read -r line; do
          id=$(printf '%s' "$line" | sed 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/')
          case $line in
            *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$INITIALIZED";;
            *'"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$OPENED";;
            *'"session/prompt"'*) prompt=$id; printf '%s\n' "$TOLD";;
            *'"outcome"'*) printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$prompt" "$FAILED";;
          esac
        done
        """#

    private static func command() throws -> LocalCommand {
        let evil = HostileWords.json
        func update(_ type: String, _ rest: String) -> String {
            #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":\#(evil),"update":"#
                + #"{"sessionUpdate":"\#(type)",\#(rest)}}}"#
        }
        let chunk = #""content":{"type":"text","text":\#(evil)}"#
        let diff = #"{"type":"diff","path":\#(evil),"oldText":"a","newText":\#(evil)}"#
        let question = #"""
            {"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":\#(evil),"toolCall":\#
            {"toolCallId":\#(evil),"title":\#(evil)},"options":[{"optionId":"o","name":\#(evil),"kind":"allow_once"}]}}
            """#
        let told = [
            update("agent_thought_chunk", chunk),
            update("tool_call", #""toolCallId":\#(evil),"title":\#(evil),"status":\#(evil),"content":[\#(diff)]"#),
            update("plan", #""entries":[{"content":\#(evil),"priority":"high","status":\#(evil)}]"#),
            update("agent_message_chunk", chunk), question,
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["INITIALIZED"] =
            #"{"protocolVersion":1,"agentInfo":{"name":\#(evil),"title":\#(evil),"version":\#(evil)}}"#
        environment["OPENED"] =
            #"{"sessionId":\#(evil),"modes":{"currentModeId":\#(evil),"availableModes":[{"id":\#(evil),"name":\#(evil)}]}}"#
        environment["TOLD"] = told.joined(separator: "\n")
        environment["FAILED"] = #"{"code":-32000,"message":\#(evil)}"#
        let arguments = ["--thoughts", "sh", "-c", script]
        return LocalCommand(try BuiltProgram.path("riff-acp"), arguments, environment: environment)
    }

    @Test func `in a pipe, nothing that an agent says is for a terminal`() async throws {
        let process = try await LocalProcess.start(try Self.command())
        try await process.write(Array("hello\n".utf8))
        try await process.finishWriting()
        async let told = process.diagnostics.collect(upTo: 1 << 20)
        let output = try await process.output.collect(upTo: 1 << 20)
        let problem = try await told
        await process.close()
        #expect(output.foreign(to: .pipe) == [] && problem.foreign(to: .pipe) == [])
        let text = String(decoding: output, as: UTF8.self)
        for words in ["Connected to ", "] ", "Plan\n", "Mode ", "May it? "] {
            #expect(text.contains(words + HostileWords.left) || words == "Plan\n" && text.contains(words), "\(text)")
        }
    }

    @Test func `on a terminal, nothing that an agent says is obeyed`() async throws {
        let terminal = LocalPTYTerminal(try Self.command())
        try await terminal.connect(size: Person.size)
        let person = Person(terminal)
        try await person.sees("Connected to \(HostileWords.left)")
        try await person.type("hello\r")
        try await person.sees("May it? \(HostileWords.left)")
        try await person.type("1\r")
        try await person.sees("\n! ")
        try await person.type("/quit\r")
        try await person.watchesTheEnd()
        #expect(person.written.foreign(to: .lines) == [])
    }
}
