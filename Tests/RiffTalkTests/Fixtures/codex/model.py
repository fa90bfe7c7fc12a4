# Riff
# SPDX-License-Identifier: Apache-2.0
#
# A model server for Codex that thinks nothing: a prompt with "%run COMMAND" has the command run, which asks for permission;
# any other prompt is answered with "Echo: " and the prompt. It writes each prompt that it is asked to the file that it is
# given, a line each, and its port to its standard output.
import http.server, json, sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored):
        pass

    def do_GET(self):
        self.send(b'{"object":"list","data":[{"id":"fake-model","object":"model"}]}', "application/json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        entries = body.get("input", [])
        prompts = [text(entry) for entry in entries if entry.get("role") == "user"]
        prompt = prompts[-1] if prompts else ""
        isAnswered = entries and entries[-1].get("type") == "function_call_output"
        # Codex asks for a title beside each prompt, which nobody is interested in.
        isTitle = "title" in json.dumps(body.get("instructions", "")) or not body.get("tools")
        if not isTitle:
            with open(sys.argv[1], "a") as log:
                log.write(("answered" if isAnswered else "asked") + " " + " ".join(prompt.split()) + "\n")
        if "%run " in prompt and not isAnswered and not isTitle:
            arguments = {
                "cmd": prompt.split("%run ", 1)[1].strip(),
                "sandbox_permissions": "require_escalated",
                "justification": "Shall it run?",
            }
            item = {
                "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "exec_command",
                "arguments": json.dumps(arguments), "status": "completed",
            }
        else:
            words = [{"type": "output_text", "text": "Echo: " + prompt, "annotations": []}]
            item = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": words}
        usage = {
            "input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
            "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0},
        }
        response = {"id": "resp_1", "object": "response", "model": "fake-model", "status": "completed",
                    "output": [item], "usage": usage}
        events = [
            ("response.created", {"response": {**response, "status": "in_progress", "output": []}}),
            ("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": response}),
        ]
        stream = "".join(
            "event: %s\ndata: %s\n\n" % (name, json.dumps({"type": name, "sequence_number": number, **fields}))
            for number, (name, fields) in enumerate(events)
        )
        self.send(stream.encode(), "text/event-stream")

    def send(self, data, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def text(entry):
    content = entry.get("content", "")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if isinstance(part, dict))


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
