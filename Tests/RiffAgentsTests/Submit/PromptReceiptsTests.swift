// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

/// The forms in which agents say that they took a prompt, as they were recorded.
@Suite struct PromptReceiptsTests {
    private static func receipts(_ agent: AgentKind, _ observations: [AgentObservation]) -> [SqueezedText] {
        var observer = AgentObserver(agent: agent)
        for observation in observations { observer.take(observation, at: .zero) }
        return observer.submitSight.receipts.newest.map(\.text)
    }

    private static func hook(_ json: String) -> AgentObservation { .hook(Array(json.utf8)) }
    private static func line(_ json: String) -> AgentObservation { .recordLine(Array(json.utf8), file: "f") }

    @Test(arguments: [
        (AgentKind.claude, hook(#"{"hook_event_name":"UserPromptSubmit","prompt":"fix it now"}"#)),
        (.claude, line(#"{"type":"user","isSidechain":false,"message":{"role":"user","content":"fix it now"}}"#)),
        (
            .claude,
            line(
                #"{"type":"user","message":{"content":[{"type":"text","text":"fix it"},{"type":"text","text":"now"}]}}"#
            )
        ),
        (
            .claude,
            hook(
                ##"{"hook_event_name":"UserPromptSubmit","prompt":"\n\n<pasted_content id=\"aa89\">\nfix\nit now\n"##
                    + ##"</pasted_content id=\"aa89\">\n"}"##
            )
        ),
        (.codex, hook(#"{"hook_event_name":"UserPromptSubmit","prompt":"fix it now","turn_id":"1"}"#)),
        (
            .codex,
            line(
                #"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","client_id":"6a","#
                    + #""content":[{"type":"text","text":"fix it now"}]}}}"#
            )
        ),
        (
            .codex,
            .serverMessage(
                Array(
                    (#"{"method":"item/started","params":{"threadId":"1","item":{"type":"userMessage","clientId":"6a","#
                        + #""content":[{"type":"text","text":"fix it now"}]}}}"#).utf8
                )
            )
        ),
    ])
    func `a prompt that was taken is read`(agent: AgentKind, observation: AgentObservation) {
        #expect(Self.receipts(agent, [observation]) == [SqueezedText("fix it now")])
    }

    @Test(arguments: [
        (AgentKind.claude, hook(#"{"hook_event_name":"UserPromptSubmit","agent_id":"a","prompt":"fix it"}"#)),
        (.claude, hook(#"{"hook_event_name":"Stop","prompt":"fix it"}"#)),
        (.claude, line(#"{"type":"user","isSidechain":true,"message":{"content":"fix it"}}"#)),
        (.claude, line(#"{"type":"user","message":{"content":[{"type":"tool_result","content":"fix it"}]}}"#)),
        (.claude, line(#"{"type":"assistant","message":{"content":[{"type":"text","text":"fix it"}]}}"#)),
        (
            .codex,
            line(
                #"{"type":"event_msg","payload":{"item":{"type":"AgentMessage","content":[{"type":"text","text":"a"}]}}}"#
            )
        ),
        (.codex, line(#"{"type":"event_msg","payload":{"item":{"type":"UserMessage","content":"fix it"}}}"#)),
    ])
    func `a helper's prompt, an answer and a result are no receipt`(agent: AgentKind, observation: AgentObservation) {
        #expect(Self.receipts(agent, [observation]).isEmpty)
    }

    @Test func `the newest few are kept, and all are counted`() {
        var observer = AgentObserver(agent: .claude)
        for number in 0..<1000 {
            let hook = #"{"hook_event_name":"UserPromptSubmit","prompt":"prompt \#(number)"}"#
            observer.take(.hook(Array(hook.utf8)), at: .zero)
        }
        let receipts = observer.submitSight.receipts
        #expect(receipts.count == 1000)
        #expect(receipts.newest.count == 16)
        #expect(receipts.newest.last?.number == 1000)
        #expect(receipts.newest.last?.text == SqueezedText("prompt 999"))
    }
}
