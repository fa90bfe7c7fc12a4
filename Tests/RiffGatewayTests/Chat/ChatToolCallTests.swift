// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import Testing

/// Rule 7 of design/streaming.md, section 1.3.
@Suite struct ChatToolCallTests {
    /// The calls that these elements of `tool_calls` make, one delta for each text.
    private static func calls(_ deltas: [String], finish: String? = "tool_calls") -> [String] {
        let chunks = deltas.map { #"data: {"choices":[{"delta":{"tool_calls":[\#($0)]}}]}"# + "\n\n" }
        let end = finish.map { #"data: {"choices":[{"delta":{},"finish_reason":"\#($0)"}]}"# + "\n\n" } ?? ""
        return ChatReading.read(chunks.joined() + end).reply.toolCalls.map(\.words)
    }

    @Test(arguments: [
        // The usual way.
        (
            [
                #"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
                #"{"index":0,"function":{"arguments":"{\"x\""}}"#, #"{"index":0,"function":{"arguments":":1}"}}"#,
            ],
            [#"a f {"x":1}"#]
        ),
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},"#
                    + #"{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}"#
            ],
            ["a f {}", "b g {}"]
        ),
        // Interleaved.
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f"}}"#, #"{"index":1,"id":"b","function":{"name":"g"}}"#,
                #"{"index":0,"function":{"arguments":"{}"}}"#, #"{"index":1,"function":{"arguments":"{ }"}}"#,
            ],
            ["a f {}", "b g { }"]
        ),
        // One index twice in one delta is one call.
        ([#"{"index":0,"id":"a","function":{"name":"f"}},{"index":0,"function":{"arguments":"{}"}}"#], ["a f {}"]),
        // A new ID at a used index is a new call, and what follows belongs to it.
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
                #"{"index":0,"id":"b","function":{"name":"g","arguments":"{"}}"#,
                #"{"index":0,"function":{"arguments":"}"}}"#,
            ],
            ["a f {}", "b g {}"]
        ),
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f"}}"#, #"{"index":0,"id":"b","function":{"name":"g"}}"#,
                #"{"index":0,"id":"a","function":{"arguments":"{}"}}"#,
                #"{"index":0,"id":"b","function":{"arguments":"{ }"}}"#,
            ],
            ["a f {}", "b g { }"]
        ),
        // Without an index an ID opens, and none continues.
        (
            [
                #"{"id":"a","function":{"name":"f","arguments":"{"}}"#, #"{"function":{"arguments":"}"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{}"}}"#,
            ], ["a f {}", "b g {}"]
        ),
        (
            [
                #"{"id":"a","function":{"name":"f","arguments":"{"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{}"}}"#,
                #"{"id":"a","function":{"arguments":"}"}}"#, #"{"function":{"arguments":" "}}"#,
            ], ["a f {} ", "b g {}"]
        ),
        ([#"{"function":{"name":"f","arguments":"{}"}}"#], [" f {}"]),
        // Nobody names the calls, and all have one index, or none.
        (
            [
                #"{"index":0,"function":{"name":"a","arguments":"{\"x\":\"}{\\\"\"}"}}"#,
                #"{"index":0,"function":{"name":"b","arguments":"{}"}}"#,
            ], [#" a {"x":"}{\""}"#, " b {}"]
        ),
        (
            [
                #"{"index":0,"function":{"name":"a","arguments":"{}"}},{"index":0,"function":{"name":"b","arguments":"{"}}"#,
                #"{"index":0,"function":{"arguments":"}"}}"#,
            ], [" a {}", " b {}"]
        ),
        (
            [
                #"{"function":{"name":"a","arguments":"{}"}}"#, #"{"function":{"name":"a","arguments":"{"}}"#,
                #"{"function":{"arguments":"}"}}"#,
            ], [" a {}", " a {}"]
        ),
        ([#"{"index":0,"function":{"name":"a"}},{"index":0,"function":{"name":"b"}}"#], [" a ", " b "]),
        // One call whose name is said with each piece, and once more behind them.
        (
            [
                #"{"index":0,"function":{"name":"a","arguments":"{"}}"#,
                #"{"index":0,"function":{"name":"a","arguments":"}"}}"#,
                #"{"index":0,"function":{"name":"a","arguments":""}}"#,
            ], [" a {}"]
        ),
        (
            [#"{"index":0,"function":{"name":"get_"}}"#, #"{"index":0,"function":{"name":"it","arguments":"{}"}}"#],
            [" get_it {}"]
        ),
        // Repeated names are not doubled; pieces of one are joined.
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}"#,
            ], ["a f {}"]
        ),
        (
            [
                #"{"index":0,"id":"a","function":{"name":"get_"}}"#,
                #"{"index":0,"function":{"name":"it","arguments":"{}"}}"#,
            ],
            ["a get_it {}"]
        ),
        // Nothing is nothing.
        (
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
                #"{"index":0,"id":"","function":{"name":"","arguments":""}}"#,
                #"{"index":0,"id":null,"function":{"name":null,"arguments":null}}"#,
                #"{"index":0,"function":{"arguments":"}"}}"#,
            ],
            ["a f {}"]
        ),
        (
            [#"{"index":3,"id":"","function":{"name":null,"arguments":""}}"#, "null", "7", "{}", #"{"function":[]}"#],
            []
        ),
        // The ID may come late.
        (
            [#"{"index":0,"function":{"name":"f"}}"#, #"{"index":0,"id":"a","function":{"arguments":"{}"}}"#],
            ["a f {}"]
        ),
        // Wide and odd numbers.
        (
            [
                #"{"index":7,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
                #"{"index":9223372036854775807,"id":"b","function":{"name":"g","arguments":"{}"}}"#,
                #"{"index":-1,"id":"c","function":{"name":"h","arguments":"{}"}}"#,
                #"{"index":1e99,"id":"d","function":{"name":"i","arguments":"{}"}}"#,
            ], ["a f {}", "b g {}", "c h {}", "d i {}"]
        ),
        // The same ID at two indices: gateways that name no call.
        (
            [
                #"{"index":0,"id":"call","function":{"name":"f","arguments":"{}"}},"#
                    + #"{"index":1,"id":"call","function":{"name":"g","arguments":"{}"}}"#
            ],
            ["call f {}", "call g {}"]
        ),
        // Arguments themselves.
        ([#"{"index":0,"id":"a","function":{"name":"f","arguments":{"x":[1,"y"]}}}"#], [#"a f {"x":[1,"y"]}"#]),
    ])
    func `a call is put together from its pieces`(deltas: [String], expected: [String]) {
        #expect(Self.calls(deltas) == expected)
    }

    @Test func `a call that is not whole when another begins is never run`() {
        let reading = ChatReading.deltas(
            #"{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"{\"x\":"}}]}"#,
            #"{"tool_calls":[{"index":0,"function":{"name":"b","arguments":"{}"}}]}"#,
            finish: "tool_calls"
        )
        #expect(reading.reply.toolCalls.map(\.words) == [#" a {"x": ..."#, " b {}"])
    }

    @Test func `the form before tools is read as well`() {
        let reading = ChatReading.deltas(
            #"{"function_call":{"name":"f","arguments":"{"}}"#,
            #"{"function_call":{"name":"f","arguments":"}"}}"#,
            finish: "function_call"
        )
        #expect(reading.reply.toolCalls.map(\.words) == [" f {}"])
        // Both forms of one call are one.
        let both = ChatReading.deltas(
            #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f"}}],"function_call":{"name":"f"}}"#,
            #"{"function_call":{"arguments":"{}"}}"#,
            #"{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}],"function_call":{"arguments":"{}"}}"#
        )
        #expect(both.reply.toolCalls.map(\.words) == ["a f {}"])
    }

    @Test(
        arguments: [
            ([#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}"#], nil, [#"a f {"x": ..."#]),
            // Whole as it looks, it may still be cut off.
            ([#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#], nil, ["a f {} ..."]),
            ([#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}"#], "length", [#"a f {"x": ..."#]),
            ([#"{"index":0,"id":"a","function":{"name":"f","arguments":"[1]"}}"#], "tool_calls", ["a f [1] ..."]),
            ([#"{"index":0,"id":"a","function":{"arguments":"{}"}}"#], "tool_calls", ["a  {} ..."]),
            ([#"{"index":0,"id":"a","function":{"name":"f"}}"#], "tool_calls", ["a f "]),
        ] as [([String], String?, [String])]
    )
    func `a call that was cut off is kept, and not to be run`(deltas: [String], finish: String?, expected: [String]) {
        #expect(Self.calls(deltas, finish: finish) == expected)
    }

    @Test func `while a reply grows no call is complete`() {
        var reader = ChatReplyReader(ChatReading.head())
        var deltas: [ChatDelta] = []
        let call = #"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#
        let chunk = #"data: {"choices":[{"delta":{"tool_calls":[\#(call)]},"finish_reason":"tool_calls"}]}"# + "\n\n"
        reader.feed(Array(chunk.utf8), into: &deltas)
        #expect(reader.partial.toolCalls.map(\.isComplete) == [false])
        #expect(reader.end(into: &deltas).reply.toolCalls.map(\.isComplete) == [true])
    }

    @Test func `what repeats a call's name is no piece of it`() {
        let call = #"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":""}}]}"#
        let reading = ChatReading.deltas(call, call, #"{"tool_calls":[{"index":0,"id":"c1"}]}"#)
        #expect(reading.choice.toolCalls.map(\.words) == ["c1 ls "])
        let calls = reading.deltas.filter { if case .toolCall = $0 { true } else { false } }
        #expect(calls == [.toolCall(ChatToolCall.Delta(place: 0, id: "c1", name: "ls"), choice: 0)])
    }

    @Test func `calls without an id count as well`() {
        let calls = (0..<1000).map { #"{"index":\#($0),"function":{"name":"f"}}"# }.joined(separator: ",")
        let chunk = #"data: {"choices":[{"delta":{"tool_calls":[\#(calls)]}}]}"# + "\n\n"
        let bytes = Array(chunk.utf8)
        #expect(ChatReading.read([bytes], limits: .init(replyBytes: 10_000)).error?.code == .chatTooLarge)
        #expect(ChatReading.read([bytes], limits: .init(replyBytes: 200_000)).error?.code == .chatTruncated)
    }
}
