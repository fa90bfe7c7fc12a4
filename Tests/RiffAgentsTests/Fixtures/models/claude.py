# Riff
# SPDX-License-Identifier: Apache-2.0
#
# A model server for Claude Code that thinks nothing: a prompt with "%run COMMAND" has the command run, which asks for permission;
# any other prompt is answered with "Echo: " and the prompt. It writes each prompt that it is asked, and each result of a command
# with what it says, to the file that it is given, a line each, and its port to its standard output.
import http.server, json, sys, threading

lock = threading.Lock()
counts = {}


def count(name):
    with lock:
        counts[name] = counts.get(name, 0) + 1
        return counts[name]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored):
        pass

    def do_GET(self):
        self.send(b'{"data":[]}', "application/json")

    def do_HEAD(self):
        self.send(b"", "application/json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if "count_tokens" in self.path:
            self.send(b'{"input_tokens":10}', "application/json")
            return
        messages = body.get("messages", [])
        prompts = [prompt for message in messages if message.get("role") == "user" for prompt in texts(message)]
        prompt = prompts[-1] if prompts else ""
        results = [part for part in parts(messages[-1]) if part.get("type") == "tool_result"] if messages else []
        # Claude asks for titles and the like without tools, which nobody is interested in.
        isSide = not body.get("tools")
        if not isSide:
            with lock, open(sys.argv[1], "a") as log:
                for part in results:
                    log.write("result " + part.get("tool_use_id", "") + " " + " ".join(json.dumps(part.get("content")).split()) + "\n")
                if not results:
                    log.write("asked " + " ".join(prompt.split()) + "\n")
        if "%run " in prompt and not results and not isSide:
            number = count("calls")
            command = {"command": prompt.split("%run ", 1)[1].strip(), "description": "Runs what was asked for"}
            block = {"type": "tool_use", "id": "toolu_%04d" % number, "name": "Bash", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(command)}
            stop = "tool_use"
        else:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": "Echo: " + prompt}
            stop = "end_turn"
        usage = {"input_tokens": 10, "output_tokens": 1}
        # Claude takes messages of one id for one.
        message = {
            "id": "msg_%04d" % count("messages"), "type": "message", "role": "assistant", "model": body.get("model", "fake"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": usage,
        }
        if not body.get("stream"):
            whole = {**message, "content": [{"type": "text", "text": "Echo"}], "stop_reason": "end_turn"}
            self.send(json.dumps(whole).encode(), "application/json")
            return
        events = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 9}},
            {"type": "message_stop"},
        ]
        stream = "".join("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events)
        self.send(stream.encode(), "text/event-stream")

    def send(self, data, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def parts(message):
    content = message.get("content", "")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


# What a person wrote: Claude adds texts of its own to a prompt, in tags.
def texts(message):
    content = message.get("content", "")
    if isinstance(content, str):
        return [content] if not content.startswith("<") else []
    return [p.get("text", "") for p in parts(message) if p.get("type") == "text" and not p.get("text", "").startswith("<")]


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
