// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import TestSupport
import Testing

extension InTurn {
    /// What an agent or its host can make of a byte: no more than some bytes, and no more work for it the more there
    /// are.
    @Suite(.timeLimit(.minutes(5))) struct ACPAmplificationTests {
        /// Output that is as long as it is told to be, of one kind.
        struct Kind: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var head = ""
            let unit: @Sendable (Int) -> String
            var tail = ""

            func output(_ size: Int) -> [UInt8] {
                var bytes = Array(head.utf8)
                var number = 0
                while bytes.count < size {
                    bytes += unit(number).utf8
                    number += 1
                }
                return bytes + tail.utf8
            }
        }

        private static let begin = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"#

        private static func update(_ update: String) -> String { begin + update + "}}\n" }

        private static func chunk(_ kind: String, _ more: String = "", _ members: String = "") -> String {
            update(#"{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"a"\#(more)}\#(members)}"#)
        }

        static let kinds = [
            Kind(testDescription: "a piece for each letter") { _ in chunk("agent_message_chunk") },
            Kind(testDescription: "pieces with annotations") { _ in
                chunk("agent_message_chunk", #","annotations":{"priority":1}"#)
            },
            Kind(testDescription: "a message for each letter") {
                chunk("agent_message_chunk", "", #","messageId":"\#($0)""#)
            },
            Kind(testDescription: "words and thoughts by turns") {
                chunk($0 % 2 == 0 ? "agent_message_chunk" : "agent_thought_chunk")
            },
            Kind(testDescription: "what the person said, once more") { _ in chunk("user_message_chunk") },
            Kind(testDescription: "tool calls") {
                update(#"{"sessionUpdate":"tool_call","toolCallId":"\#($0)","title":"~~"}"#)
            },
            Kind(
                testDescription: "updates of one tool call",
                head: update(
                    #"{"sessionUpdate":"tool_call","toolCallId":"a","title":"b","rawInput":[\#(Array(repeating: "1", count: 4_000).joined(separator: ","))]}"#
                )
            ) { _ in update(#"{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed"}"#) },
            Kind(
                testDescription: "content of one tool call",
                head: begin + #"{"sessionUpdate":"tool_call","toolCallId":"a","title":"b","content":["#,
                unit: { _ in #"{"type":"diff","path":"/a","newText":""},"# },
                tail: "{}]}}}\n"
            ),
            Kind(
                testDescription: "places of one tool call",
                head: begin + #"{"sessionUpdate":"tool_call","toolCallId":"a","title":"b","locations":["#,
                unit: { _ in #"{"path":"/"},"# },
                tail: "{}]}}}\n"
            ),
            Kind(
                testDescription: "a plan of very many steps",
                head: begin + #"{"sessionUpdate":"plan","entries":["#,
                unit: { _ in #"{"content":"a","priority":"low","status":"pending"},"# },
                tail: "{}]}}}\n"
            ),
            Kind(
                testDescription: "members that nobody knows",
                head: begin + #"{"sessionUpdate":"usage_update","used":1,"size":2"#,
                unit: { #","k\#($0)":0"# },
                tail: "}}}\n"
            ),
            Kind(testDescription: "updates that nobody knows") { update(#"{"sessionUpdate":"k\#($0)"}"#) },
            Kind(testDescription: "lists in lists", unit: { _ in "[" }, tail: "\n"),
            Kind(testDescription: "lists of lists", head: "[", unit: { _ in "[]," }, tail: "[]]\n"),
            Kind(testDescription: "nested as deep as is read") { _ in
                String(repeating: #"{"a":["#, count: 120) + String(repeating: "]}", count: 120) + "\n"
            },
            Kind(testDescription: "escapes", head: "\"", unit: { _ in #"\ud83d\n"# }, tail: "\"\n"),
            Kind(testDescription: "one line without an end") { _ in "a" },
            Kind(testDescription: "lines of nothing") { _ in "\r\n" },
            Kind(testDescription: "lines of a letter") { _ in "a\n" },
        ]

        /// Reads output in pieces of 16 KB, as a connection gives it, with a reader that sees each update.
        private static func read(_ output: [UInt8]) -> (transcript: ACPTranscript, said: Int) {
            var framer = LineFramer(limit: 4 << 20)
            var transcript = ACPTranscript()
            transcript.promptSent([.text(ACP.TextContent(text: "ab"))])
            var marks = ACPTranscriptMarks()
            var said = 0
            for start in stride(from: 0, to: output.count, by: 16_384) {
                for case .line(let line) in framer.push(Array(output[start..<min(start + 16_384, output.count)])) {
                    guard let params = (try? JSONValue(parsing: line))?["params"],
                        let notification = try? ACP.SessionNotification(json: params)
                    else { continue }
                    transcript.apply(notification.update)
                    said += transcript.growth(since: &marks).reduce(0) { $0 + $1.text.utf8.count }
                }
            }
            return (transcript, said)
        }

        @Test(arguments: kinds)
        func `work and what is kept are linear`(kind: Kind) {
            let factor = Growth.processorFactor(from: 128 << 10, kind.output) { output in
                let (transcript, said) = Self.read(output)
                #expect(said <= output.count)
                #expect(transcript.entries.count <= output.count / 64 + 1)
                #expect(
                    transcript.toolCalls.reduce(0) { $0 + $1.content.count + $1.locations.count } <= output.count / 8
                )
                #expect(transcript.plan.count <= output.count / 16)
            }
            #expect(factor <= Growth.most)
        }

        @Test(arguments: ["a", "aaaaaaab", "b"])
        func `what may be an echo of a long prompt costs what it is long`(piece: String) throws {
            let chunk: JSONValue = [
                "sessionUpdate": "user_message_chunk", "content": ["type": "text", "text": .string(piece)],
            ]
            let update = try ACP.SessionUpdate(json: chunk)
            let factor = Growth.processorFactor(from: 32 << 10, { $0 }) { size in
                var transcript = ACPTranscript()
                transcript.promptSent([.text(ACP.TextContent(text: String(repeating: "a", count: size)))])
                for _ in 0..<size / piece.utf8.count { transcript.apply(update) }
                #expect(transcript.entries.count == (piece == "a" ? 1 : 2))
            }
            #expect(factor <= Growth.most)
        }

        // MARK: The keeper

        @Test(arguments: ["Welcome!\n", "MAR", "\n", " "])
        func `what a login shell says before the header costs what it is long`(unit: String) throws {
            let make = { (size: Int) in
                Array((String(repeating: unit, count: size / unit.utf8.count) + "\nMARK\n1.1 0 0 running\n\n{}\n").utf8)
            }
            let factor = try Growth.processorFactor(from: 256 << 10, make) { output in
                let inbound = try Self.attach(output)
                #expect(inbound.position == 3)
            }
            #expect(factor <= Growth.most)
        }

        @Test(arguments: ["{}\n", "a", "\n", "{\"a\":[]}\r\n"])
        func `what a kept agent wrote costs what it is long, and its place is exact`(unit: String) throws {
            let head = "MARK\n1.1 1000 0 running\n\n\n"
            let make = { (size: Int) in
                Array((head + String(repeating: unit, count: size / unit.utf8.count) + "\n").utf8)
            }
            let factor = try Growth.processorFactor(from: 256 << 10, make) { output in
                let inbound = try Self.attach(output)
                // The last of the header's line ends is the agent's first byte.
                #expect(inbound.position == UInt64(1000 + output.count - head.utf8.count + 1))
            }
            #expect(factor <= Growth.most)
        }

        /// Reads an attachment in pieces of 4 KB, and asks for the place at each.
        private static func attach(_ output: [UInt8]) throws -> KeptInbound {
            var inbound = KeptInbound(from: nil, lineLimit: 1 << 20)
            inbound.begin(marker: "MARK")
            var place: UInt64 = 0
            for start in stride(from: 0, to: output.count, by: 4096) {
                _ = try inbound.push(Array(output[start..<min(start + 4096, output.count)]))
                let next = inbound.position ?? place
                #expect(next >= place)
                place = next
            }
            return inbound
        }

        @Test func `what waits to be handed over costs what it is long`() {
            let message = Array("{}\n".utf8)
            let factor = Growth.processorFactor(from: 4_000, { $0 }) { count in
                var outbound = KeptOutbound()
                outbound.attached(lastNumber: 0)
                for _ in 0..<count { outbound.add(message, for: .message) }
                var sent: UInt64 = 0
                while outbound.next() != nil { sent += 1 }
                // A new attachment: half of it had arrived, and the rest is told one by one.
                outbound.attached(lastNumber: sent / 2)
                while outbound.next() != nil { outbound.acknowledged(sent / 2 + 1) }
                for number in 1...sent { outbound.acknowledged(number) }
                #expect(outbound.isEmpty && outbound.bytes == 0)
            }
            #expect(factor <= Growth.most)
        }

        @Test func `a long word of a keeper is read in one pass`() {
            let make = { (size: Int) in "rA:1-" + String(repeating: "61", count: size / 2) }
            let factor = Growth.processorFactor(from: 256 << 10, make) { word in
                #expect(OtherTurn(word: word)?.session?.rawValue.utf8.count == (word.utf8.count - 5) / 2)
            }
            #expect(factor <= Growth.most)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ACPBatchTests {
    @Test func `a line of very many things that are no messages is told once`() async throws {
        let noise = try await ScriptedAgent.with { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.write("[" + String(repeating: "0,", count: 20_000) + "0]\n")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
            return client.noise
        }
        #expect(noise.count == 1)
        #expect(noise.allSatisfy { $0.utf8.count <= 200 })
    }

    @Test func `messages of one line come in order, however many there are`() async throws {
        let seen = Recorder<String>()
        var handlers = ACPClient.Handlers()
        handlers.update = { seen.add($0.update.summary) }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            let updates = (0..<100).map { number -> JSONValue in
                [
                    "jsonrpc": "2.0", "method": "session/update",
                    "params": [
                        "sessionId": "s",
                        "update": ["sessionUpdate": "usage_update", "used": .integer(Int64(number)), "size": 1],
                    ],
                ]
            }
            try await agent.send(.array(updates))
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
        #expect(seen.all == (0..<100).map { "used \($0)" })
    }

    @Test func `a question about a call whose name is too long to keep does not show an older name`() async throws {
        let titles = Recorder<String>()
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            titles.add(question.title)
            return question.denial
        }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.update(["sessionUpdate": "tool_call", "toolCallId": "t1", "title": "ls"])
            try await agent.update([
                "sessionUpdate": "tool_call_update", "toolCallId": "t1",
                "title": .string(String(repeating: "x", count: 70_000)),
            ])
            try await agent.send(Permission.request(id: 1))
            _ = try await agent.next()
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
        #expect(titles.all == ["Tool call t1"])
    }
}
