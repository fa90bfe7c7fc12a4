// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentFacts {
    /// Claude Code, as seen in 2.1.331.
    static let claudeText = #"""
        {
          "format": 1, "agent": "claude", "seenVersion": "2.1.331", "programs": ["claude"],
          "launch": {
            "session": ["--session-id", "{id}"], "resume": ["--resume", "{id}"], "resumeLatest": ["--continue"],
            "name": ["--name", "{name}"], "mode": ["--permission-mode", "{mode}"], "askingMode": "manual",
            "normalScreenVariables": {"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"}, "interrupt": "escape"
          },
          "places": {
            "status": ".claude/sessions/{pid}.json", "job": ".claude/jobs/{id}/state.json",
            "transcript": ".claude/projects/{project}/{id}.jsonl"
          },
          "status": {"idle": "idle", "busy": "working", "waiting": "waiting", "shell": "shell"},
          "waitingFor": {
            "permission prompt": "question", "input needed": "question", "dialog open": "dialog"
          },
          "programStatusApp": "claude-code",
          "programStatus": {
            "idle": "idle", "working": "working", "blocked": "waiting", "done": "done", "error": "failed", "clear": "gone"
          },
          "hooks": {
            "SessionStart": "began", "UserPromptSubmit": "prompt", "PreToolUse": "call", "PostToolUse": "result",
            "PostToolUseFailure": "result", "PermissionRequest": "question", "Notification": "notice", "Stop": "done",
            "StopFailure": "failed", "SubagentStart": "childBegan", "SubagentStop": "childEnded",
            "PreCompact": "working", "PostCompact": "notice", "SessionEnd": "ended"
          },
          "records": {"user": "prompt", "assistant": "answer"},
          "promptWrapper": "pasted_content",
          "tools": {
            "Bash": {"name": "Bash", "subjects": ["command"]},
            "Write": {"name": "Write", "subjects": ["file_path"]},
            "Edit": {"name": "Edit", "subjects": ["file_path"]},
            "MultiEdit": {"name": "Edit", "subjects": ["file_path"]},
            "NotebookEdit": {"name": "NotebookEdit", "subjects": ["notebook_path"]},
            "Read": {"name": "Read", "subjects": ["file_path"]},
            "WebFetch": {"name": "WebFetch", "subjects": ["url"]},
            "WebSearch": {"name": "WebSearch", "subjects": ["query"]},
            "Agent": {"name": "Agent", "subjects": ["description"]},
            "ExitPlanMode": {"name": "plan", "kind": "plan", "subjects": ["plan"]},
            "AskUserQuestion": {"name": "question", "kind": "question", "subjects": ["questions"]}
          },
          "screen": {
            "composer": {
              "sign": "❯\u00a0", "rule": "─", "modes": ["-- NORMAL --", "-- VISUAL"], "scrolled": " ↑ ",
              "pastes": ["[Pasted text #"]
            },
            "answerKeys": "numbers", "allowing": ["Yes"], "deniesByEscape": true,
            "pointers": ["❯"],
            "subjectRule": "╌",
            "questions": [
              {"is": "?", "text": "Do you want to proceed?"},
              {"is": "Write", "text": "Do you want to create "},
              {"is": "Edit", "text": "Do you want to make this edit"},
              {"is": "Write", "text": "Do you want to overwrite "},
              {"is": "WebFetch", "text": "Do you want to allow Claude to fetch"},
              {"is": "plan", "text": "Exit plan mode?"},
              {"is": "plan", "text": "Would you like to proceed?"},
              {"is": "question", "text": "Enter to select · ↑/↓ to navigate"}
            ],
            "titles": [
              {"is": "Bash", "text": "Bash command"}, {"is": "Write", "text": "Create file"},
              {"is": "Write", "text": "Overwrite file"}, {"is": "Edit", "text": "Edit file"},
              {"is": "WebFetch", "text": "Fetch"}, {"is": "Read", "text": "Read file"},
              {"is": "tool", "text": "Tool use"}
            ],
            "holds": [
              {"is": "auto mode dialog", "text": "Auto mode can't check actions in this session"},
              {"is": "auto mode dialog", "text": "Enter to stay in auto mode"}
            ],
            "dialogs": [
              {"is": "trust", "text": "Is this a project you created or one you trust?"},
              {"is": "trust", "text": "Yes, I trust this folder"},
              {"is": "apiKey", "text": "Do you want to use this API key?"},
              {"is": "exit", "text": "Background work is running"},
              {"is": "resume", "text": "Enter to resume"},
              {"is": "rewind", "text": "Restore the code and/or conversation"},
              {"is": "modelPicker", "text": "Select model"},
              {"is": "transcript", "text": "Showing detailed transcript"}
            ],
            "working": [
              {"is": "interruptible", "text": "esc to interrupt"}
            ],
            "interrupted": [{"is": "interrupted", "text": "Interrupted ·"}],
            "background": [
              {"is": "shell", "text": "shell still running"}, {"is": "shell", "text": "shells still running"}
            ]
          }
        }
        """#
}
