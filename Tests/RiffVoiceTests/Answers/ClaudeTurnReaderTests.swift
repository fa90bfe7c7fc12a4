// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

@Suite struct ClaudeTurnReaderTests {
    private static func record(_ text: String, stop: String, type: String = "assistant", more: String = "") -> String {
        #"{"type":"\#(type)","timestamp":"2026-11-21T03:54:49Z","uuid":"\#(text)"\#(more),"#
            + #""message":{"role":"\#(type)","stop_reason":\#(stop),"content":[{"type":"text","text":"\#(text)"}]}}"#
    }

    private static func turns(_ lines: [String]) -> (told: [String], settled: String?) {
        var reader = ClaudeTurnReader()
        let told = lines.compactMap { reader.read(Array($0.utf8)[...])?.text }
        return (told, reader.settle()?.text)
    }

    private static let call =
        #"{"type":"assistant","timestamp":"2026-11-21T03:54:49Z","message":{"stop_reason":null,"content":"#
        + #"[{"type":"tool_use","name":"Bash","input":{}}]}}"#
    private static let result =
        #"{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}"#
    private static let prompt = #"{"type":"user","message":{"content":"next"}}"#
    private static let interruption =
        #"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#

    @Test func `without a reason to stop a turn ends if nothing follows`() {
        let answer = Self.record("Done.", stop: "null")
        #expect(Self.turns([answer]) == ([], "Done."))
        #expect(Self.turns([answer, #"{"type":"last-prompt"}"#]) == ([], "Done."))
        #expect(Self.turns([answer, Self.prompt]) == (["Done."], nil))
        #expect(Self.turns([answer, Self.call]) == ([], nil))
        #expect(Self.turns([answer, Self.result]) == ([], nil))
        #expect(Self.turns([answer, Self.interruption]) == ([], nil), "the words of an interrupted turn are no answer")
        #expect(Self.turns([answer, Self.record("More.", stop: "null")]) == ([], "More."))
        #expect(Self.turns([answer, Self.record("End.", stop: #""end_turn""#)]) == (["End."], nil))
    }

    @Test func `a turn that failed says why`() throws {
        let words = "API Error: Request rejected (429)"
        let more = #","isApiErrorMessage":true,"error":"rate_limit""#
        var reader = ClaudeTurnReader()
        let line = Self.record(words, stop: #""stop_sequence""#, more: more)
        let failed = reader.read(Array(line.utf8)[...])
        let turn = try #require(failed)
        #expect(turn.isFailure && turn.text == words)
        let answer = reader.read(Array(Self.record("Yes.", stop: #""end_turn""#).utf8)[...])
        #expect(answer?.isFailure == false)
    }

    @Test func `what the program says in the model's name is nobody's answer`() {
        let line =
            #"{"type":"assistant","timestamp":"2026-11-21T03:54:49Z","message":{"model":"<synthetic>","#
            + #""stop_reason":"end_turn","content":[{"type":"text","text":"No response requested."}]}}"#
        #expect(Self.turns([line]) == ([], nil))
    }
}
