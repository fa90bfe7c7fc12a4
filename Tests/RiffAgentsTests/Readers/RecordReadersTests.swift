// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

/// Hooks, status files, transcripts, rollouts and a server's messages.
@Suite struct RecordReadersTests {
    private static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
    private static let list = AgentQuestion(kind: .permission, tool: "Bash", subject: "ls")

    @Test(arguments: [
        (#"{"hook_event_name": "UserPromptSubmit"}"#, [AgentFact.working(isPrompt: true)]),
        (
            #"{"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls"}}"#,
            [.waiting(list)]
        ),
        (
            #"{"hook_event_name": "Stop", "background_tasks": [{"type": "shell", "status": "running"}, {"type": "x", "status": "done"}]}"#,
            [.ended(.completed), .background(["shell"])]
        ),
        (#"{"hook_event_name": "StopFailure", "error": "rate\u001b_limit"}"#, [.ended(.failed("rate_limit"))]),
        (#"{"hook_event_name": "SubagentStart", "agent_id": "a"}"#, [.child(id: "a", kind: "subagent")]),
        (#"{"hook_event_name": "PreToolUse", "agent_id": "a", "tool_name": "Bash"}"#, []),
        (#"{"hook_event_name": "SomethingNew"}"#, []), (#"{"hook_event_name": 7}"#, []), ("[]", []),
    ])
    func `a hook says what it says`(text: String, facts: [AgentFact]) throws {
        #expect(HookReader(facts: .builtIn(.claude)).read(try Self.json(text)) == facts)
    }

    @Test(arguments: [
        (#"{"pid": 1}"#, []), (#"{"status": "idle"}"#, [AgentFact.background([]), .idle]),
        (#"{"status": "busy"}"#, [.working(isPrompt: false)]),
        (#"{"status": "waiting", "waitingFor": "permission prompt"}"#, [.waiting(nil)]),
        (#"{"status": "waiting", "waitingFor": "dialog open"}"#, [.dialog]),
        (#"{"status": "waiting", "waitingFor": "new"}"#, [.waiting(nil)]),
        (#"{"status": "shell"}"#, [.background(["shell"]), .idle]), (#"{"status": "new"}"#, [.unrecognized("new")]),
        (#"{"status": 3}"#, [.unrecognized("a number")]),
        (#"{"sessionId": "s", "status": "busy"}"#, [.session("s"), .working(isPrompt: false)]),
    ])
    func `a status file says what it says`(text: String, facts: [AgentFact]) throws {
        #expect(StatusFileReader(facts: .builtIn(.claude)).read(try Self.json(text)) == facts)
    }

    @Test(arguments: [
        (#"{"type": "user", "message": {"content": "hello"}}"#, [AgentFact.working(isPrompt: true)]),
        (
            #"{"type": "user", "message": {"content": [{"type": "tool_result", "content": "x"}]}}"#,
            [.working(isPrompt: false)]
        ),
        (
            #"{"type": "user", "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}}"#,
            [.ended(.interrupted)]
        ),
        (#"{"type": "user", "message": {"content": "<command-name>/model</command-name>"}}"#, []),
        (#"{"type": "user", "isSidechain": true, "message": {"content": "hello"}}"#, []),
        (#"{"type": "assistant", "message": {"stop_reason": "end_turn", "content": []}}"#, [.ended(.completed)]),
        (
            #"{"type": "assistant", "message": {"stop_reason": "tool_use", "content": [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}}"#,
            [.call(list)]
        ),
        (
            #"{"type": "assistant", "isApiErrorMessage": true, "message": {"content": [{"type": "text", "text": "API Error"}]}}"#,
            [.ended(.failed("API Error"))]
        ),
        (#"{"type": "system", "subtype": "turn_duration"}"#, []), ("3", []),
    ])
    func `a line of a transcript says what it says`(text: String, facts: [AgentFact]) throws {
        #expect(TranscriptReader(facts: .builtIn(.claude)).read(try Self.json(text)) == facts)
    }

    private static func rollout(_ lines: [String]) throws -> [AgentFact] {
        var reader = RolloutReader()
        return try lines.flatMap { reader.read(try json($0), by: .builtIn(.codex)) }
    }

    @Test func `a rollout tells its turns`() throws {
        let facts = try Self.rollout([
            #"{"type": "session_meta", "payload": {"id": "t", "thread_source": "user"}}"#,
            #"{"type": "event_msg", "payload": {"type": "task_started"}}"#,
            #"{"type": "response_item", "payload": {"type": "task_complete"}}"#,
            #"{"type": "event_msg", "payload": {"type": "task_complete", "error": {"message": "429"}}}"#,
            #"{"type": "event_msg", "payload": {"type": "turn_aborted"}}"#,
            #"{"type": "event_msg", "payload": {"type": "task_complete", "error": null}}"#,
        ])
        let ends: [AgentFact] = [.ended(.failed("429")), .ended(.interrupted), .ended(.completed)]
        #expect(facts == [.session("t"), .working(isPrompt: true)] + ends)
    }

    @Test func `a helper's rollout is background`() throws {
        let facts = try Self.rollout([
            #"{"type": "session_meta", "payload": {"id": "h", "thread_source": "subagent"}}"#,
            #"{"type": "event_msg", "payload": {"type": "task_started"}}"#,
            #"{"type": "event_msg", "payload": {"type": "task_complete"}}"#,
        ])
        #expect(facts == [.child(id: "h", kind: "subagent"), .child(id: "h", kind: nil)])
    }

    @Test func `a thread that makes titles says nothing`() throws {
        var reader = ThreadReader()
        func read(_ text: String) throws -> [AgentFact] { reader.read(try Self.json(text), by: .builtIn(.codex)) }
        let title = #"{"id": "x", "ephemeral": true, "threadSource": "thread_title"}"#
        #expect(try read(#"{"method": "thread/started", "params": {"thread": \#(title)}}"#).isEmpty)
        for id in ["x", "y"] {
            let status = #"{"threadId": "\#(id)", "status": {"type": "active", "activeFlags": []}}"#
            let facts = try read(#"{"method": "thread/status/changed", "params": \#(status)}"#)
            #expect(facts == (id == "x" ? [] : [.working(isPrompt: false)]))
        }
    }

    @Test(arguments: [
        (#"{"type": "idle"}"#, [AgentFact.idle]),
        (#"{"type": "active", "activeFlags": ["waitingOnApproval"]}"#, [.waiting(nil)]),
        (#"{"type": "active", "activeFlags": ["new"]}"#, [.unrecognized("new")]),
        (#"{"type": "new"}"#, [.unrecognized("new")]),
        (#"{"type": "notLoaded"}"#, [.gone]), (#"{}"#, []),
    ])
    func `a thread's status says what it says`(status: String, facts: [AgentFact]) throws {
        var reader = ThreadReader()
        let text = #"{"method": "thread/status/changed", "params": {"threadId": "t", "status": \#(status)}}"#
        #expect(reader.read(try Self.json(text), by: .builtIn(.codex)) == facts)
    }

    @Test func `a request has the command without its shell`() throws {
        var reader = ThreadReader()
        let text = #"""
            {"method": "item/commandExecution/requestApproval", "id": 7, "params": {"threadId": "t",
             "command": "/bin/bash -lc 'touch x'", "availableDecisions": ["accept", {"other": 1}, "cancel"]}}
            """#
        let question = AgentQuestion(
            kind: .permission,
            tool: "exec",
            subject: "touch x",
            id: "7",
            options: [AgentQuestion.Option("accept"), AgentQuestion.Option("cancel")]
        )
        #expect(reader.read(try Self.json(text), by: .builtIn(.codex)) == [.waiting(question)])
        let over = #"{"method": "serverRequest/resolved", "params": {"threadId": "t", "requestId": 7}}"#
        #expect(reader.read(try Self.json(over), by: .builtIn(.codex)) == [.resolved("7")])
    }
}
