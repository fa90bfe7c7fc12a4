// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentFacts {
    /// Codex CLI, as seen in 0.163.0.
    static let codexText = """
        {
          "format": 1, "agent": "codex", "seenVersion": "0.163.0", "programs": ["codex"],
          "launch": {
            "resume": ["resume", "{id}"], "resumeLatest": ["resume", "--last"], "mode": ["--ask-for-approval", "{mode}"],
            "askingMode": "on-request", "normalScreen": ["--no-alt-screen"], "interrupt": "escape"
          },
          "places": {"rollouts": ".codex/sessions"},
          "programStatusApp": "codex",
          "programStatus": {
            "idle": "idle", "working": "working", "blocked": "waiting", "done": "done", "error": "failed", "clear": "gone"
          },
          "hooks": {
            "SessionStart": "began", "UserPromptSubmit": "prompt", "PreToolUse": "call", "PostToolUse": "result",
            "PermissionRequest": "question", "Stop": "done", "Interrupt": "interrupted",
            "SubagentStart": "childBegan", "SubagentStop": "childEnded",
            "PreCompact": "working", "PostCompact": "notice", "SessionEnd": "ended"
          },
          "records": {
            "session_meta": "began", "task_started": "working", "task_complete": "done", "turn_aborted": "interrupted"
          },
          "threads": {
            "idle": "idle", "active": "working", "waitingOnApproval": "waiting", "waitingOnUserInput": "waiting",
            "systemError": "failed", "notLoaded": "gone"
          },
          "requests": {
            "item/commandExecution/requestApproval": "exec", "item/fileChange/requestApproval": "patch",
            "item/permissions/requestApproval": "permissions", "item/tool/requestUserInput": "question"
          },
          "tools": {
            "Bash": {"name": "exec", "subjects": ["command"]},
            "apply_patch": {"name": "patch", "subjects": ["command"]},
            "request_user_input": {"name": "question", "kind": "question", "subjects": ["questions"]}
          },
          "screen": {
            "composer": {
              "sign": "› ", "footers": [" · ~", " · /"], "scrolled": " ↑", "pastes": ["[Pasted Content "]
            },
            "answerKeys": "brackets", "allowing": ["Yes, proceed"], "deniesByEscape": true,
            "pointers": ["›", ">"],
            "subjectMarks": ["$ ", "Destination: "],
            "questions": [
              {"is": "exec", "text": "Would you like to run the following command?"},
              {"is": "patch", "text": "Would you like to make the following edits?"},
              {"is": "plan", "text": "Implement this plan?"},
              {"is": "question", "text": "enter to submit answer"}
            ],
            "dialogs": [
              {"is": "trust", "text": "Trust this folder?"},
              {"is": "hooks", "text": "Hooks need review"},
              {"is": "hooks", "text": "hooks need review before they can run"},
              {"is": "signIn", "text": "Sign in with ChatGPT"},
              {"is": "signIn", "text": "Finish signing in via your browser"},
              {"is": "newConversation", "text": "Where should the new conversation run?"},
              {"is": "modelPicker", "text": "Select Model and Effort"},
              {"is": "modelPicker", "text": "Select Reasoning Level"},
              {"is": "resume", "text": "enter resume"}
            ],
            "working": [{"is": "interruptible", "text": " • esc to interrupt)"}],
            "interrupted": [{"is": "interrupted", "text": "Conversation interrupted"}],
            "background": [
              {"is": "terminal", "text": "background terminal running"},
              {"is": "terminal", "text": "background terminals running"}
            ],
            "waitingTitles": [{"is": "question", "text": "[ ! ] "}, {"is": "question", "text": "[ . ] "}],
            "trouble": [{"is": "server", "text": "Reconnecting to server"}]
          }
        }
        """
}
