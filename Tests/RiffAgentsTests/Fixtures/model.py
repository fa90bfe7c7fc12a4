# Riff
# SPDX-License-Identifier: Apache-2.0
#
# A model server for Claude Code and Codex that thinks nothing: it answers a prompt with "Echo: " and the prompt. A prompt
# with "%hold" is answered when the file "release" beside the log is there; one with "%fail" is refused. It writes each
# prompt to the file that it is given, a line each, and its port to its standard output.
import http.server, json, os, sys, time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored):
        pass

    def do_HEAD(self):
        self.send(b"", "application/json")

    def do_GET(self):
        self.send(b'{"object":"list","data":[{"id":"fake-model","object":"model"}]}', "application/json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        isClaude = "/messages" in self.path
        if "count_tokens" in self.path:
            return self.send(b'{"input_tokens": 10}', "application/json")
        entries = body.get("messages" if isClaude else "input", [])
        prompts = [text(entry) for entry in entries if entry.get("role") == "user"]
        prompt = prompts[-1].strip() if prompts else ""
        # Both ask for titles beside the prompts, without tools.
        isMain = bool(body.get("tools"))
        if isMain:
            with open(sys.argv[1], "a") as log:
                log.write("asked " + " ".join(prompt.split()) + "\n")
            if "%hold" in prompt:
                while not os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), "release")):
                    time.sleep(0.02)
            if "%fail" in prompt:
                data = b'{"type":"error","error":{"type":"invalid_request_error","message":"no credit left"}}'
                return self.send(data, "application/json", 400)
        answer = ("Echo: " + prompt) if isMain else "a title"
        self.send((claude(answer) if isClaude else codex(answer)).encode(), "text/event-stream")

    def send(self, data, kind, status=200):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def text(entry):
    content = entry.get("content", "")
    if isinstance(content, str):
        return content
    parts = [part.get("text", "") for part in content if isinstance(part, dict)]
    # What the program adds for the model is in tags.
    return "".join(part for part in parts if not part.lstrip().startswith("<"))


def events(list):
    return "".join(
        "event: %s\ndata: %s\n\n" % (name, json.dumps({"type": name, **fields})) for name, fields in list
    )


def claude(answer):
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-model", "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": usage}
    return events([
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": answer}}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 9}}),
        ("message_stop", {}),
    ])


def codex(answer):
    words = [{"type": "output_text", "text": answer, "annotations": []}]
    item = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": words}
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
             "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    response = {"id": "resp_1", "object": "response", "model": "fake-model", "status": "completed", "output": [item],
                "usage": usage}
    return events([
        ("response.created", {"response": {**response, "status": "in_progress", "output": []}}),
        ("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress"}}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    ])


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
