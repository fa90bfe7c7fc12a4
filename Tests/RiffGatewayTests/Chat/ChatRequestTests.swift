// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import Testing

@Suite struct ChatRequestTests {
    @Test func `a request says what it has to, and no more`() {
        let request = ChatRequest(model: "m", messages: [.system("Be brief."), .user("Hi \"you\"\n")])
        #expect(
            String(decoding: request.body(streaming: true), as: UTF8.self)
                == #"{"model":"m","messages":[{"role":"system","content":"Be brief."},"#
                + #"{"role":"user","content":"Hi \"you\"\n"}],"stream":true,"stream_options":{"include_usage":true}}"#
        )
        #expect(request.json(streaming: false)["stream"] == false)
        #expect(request.json(streaming: false)["stream_options"] == nil)
        #expect(request.json(streaming: true, includesUsage: false)["stream_options"] == nil)
    }

    @Test func `every setting goes out under its name`() throws {
        var request = ChatRequest(model: "m", messages: [])
        request.temperature = 0.5
        request.topP = 1
        request.maxCompletionTokens = 10
        request.maxTokens = 11
        request.stop = ["a", "b"]
        request.choices = 2
        request.seed = 7
        request.reasoningEffort = "low"
        request.tools = [ChatTool(name: "f", description: "d", parameters: ["type": "object"], isStrict: true)]
        request.toolChoice = .tool("f")
        request.parallelToolCalls = false
        request.responseFormat = .jsonSchema(name: "s", schema: [:], isStrict: true)
        request.user = "u"
        request.rest = ["top_k": 40, "model": "other"]
        let expected = try JSONValue(
            parsing: #"""
                {"model":"m","messages":[],"temperature":0.5,"top_p":1,"max_completion_tokens":10,"max_tokens":11,
                "stop":["a","b"],"n":2,"seed":7,"reasoning_effort":"low","tools":[{"type":"function",
                "function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}}],"tool_choice":{"type":"function",
                "function":{"name":"f"}},"parallel_tool_calls":false,"response_format":{"type":"json_schema",
                "json_schema":{"name":"s","schema":{},"strict":true}},"user":"u","stream":false,"top_k":40}
                """#
        )
        #expect(request.json(streaming: false) == expected)
        // What is sent can be read.
        #expect(try JSONValue(parsing: request.body(streaming: false)) == expected)
    }

    @Test(arguments: [
        (ChatMessage.user([.text("a")]), #"{"role":"user","content":"a"}"#),
        (
            .user([.text("a"), .image(url: "data:x", detail: "low"), .audio(base64: "AA==", format: "wav")]),
            #"{"role":"user","content":[{"type":"text","text":"a"},"#
                + #"{"type":"image_url","image_url":{"url":"data:x","detail":"low"}},"#
                + #"{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}]}"#
        ),
        (
            .user([.image(url: "https://a.example/b.png")]),
            #"{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]}"#
        ),
        (
            .user([.other(["type": "file"])]), #"{"role":"user","content":[{"type":"file"}]}"#
        ),
        (ChatMessage(.developer, content: [], name: "n"), #"{"role":"developer","content":"","name":"n"}"#),
        (
            ChatMessage(.assistant, content: [], toolCalls: [ChatToolCall(id: "t", name: "f", arguments: "")]),
            #"{"role":"assistant","content":null,"tool_calls":"#
                + #"[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]}"#
        ),
        (
            .tool("42", answering: ChatToolCall(id: "t", name: "f", arguments: "{}")),
            #"{"role":"tool","content":"42","tool_call_id":"t"}"#
        ),
    ])
    func `a message is written as gateways expect it`(message: ChatMessage, expected: String) {
        #expect(message.json.description == expected)
    }

    @Test(
        arguments: [
            (.automatic, "\"auto\""), (.none, "\"none\""), (.required, "\"required\""),
        ] as [(ChatRequest.ToolChoice, String)]
    )
    func `a choice of tools is a word`(choice: ChatRequest.ToolChoice, expected: String) {
        #expect(choice.json.description == expected)
    }

    @Test func `a reply goes back without thoughts and without calls that were cut off`() {
        var choice = ChatReply.Choice(content: "a")
        choice.reasoning = "hm"
        choice.toolCalls = [
            ChatToolCall(id: "1", name: "f", arguments: "{}"),
            ChatToolCall(id: "2", name: "g", arguments: "{", isComplete: false),
        ]
        let message = ChatMessage(choice)
        #expect(message.content == [.text("a")])
        #expect(message.toolCalls.map(\.id) == ["1"])
    }
}
