# Riff
# SPDX-License-Identifier: Apache-2.0
#
# A model server for coding agents that thinks nothing, in the dialects of Anthropic's messages and OpenAI's responses. A prompt
# with "%slow N MS" is answered with N words, MS apart; one with "%run COMMAND" has the command run, which the agent asks its
# person about; any other is answered with "Echo: " and the prompt. It is the judge of what an agent was really asked: each
# request of a turn is noted in the file that it is given, a line of JSON when it begins and one when it ends. It writes its
# port to its standard output.
import http.server, json, re, sys, threading, time

lock = threading.Lock()
number = 0


def note(**fields):
    with lock, open(sys.argv[1], "a") as log:
        log.write(json.dumps({"t": time.time(), **fields}) + "\n")


def texts(content):
    if isinstance(content, str):
        return [content]
    return [part.get("text", "") for part in content or [] if isinstance(part, dict) and "text" in part.get("type", "")]


def isNoise(text):
    return re.match(r"\s*<(system-reminder|environment_context|user_instructions|permissions|skills)", text) is not None


def prompt(entries):
    """The last words of the person, and whether a tool's result came after them."""
    words, isAnswered = "", False
    for entry in entries:
        if entry.get("type") == "function_call_output":
            isAnswered = True
        if entry.get("role") != "user":
            continue
        content = entry.get("content", "")
        if not isinstance(content, str) and any(part.get("type") == "tool_result" for part in content):
            isAnswered = True
        said = [text for text in texts(content) if text.strip() and not isNoise(text)]
        if said:
            words, isAnswered = said[-1], False
    return words, isAnswered


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored):
        pass

    def do_GET(self):
        self.send(b'{"object":"list","data":[{"id":"fake-model","object":"model","type":"model"}],"has_more":false}')

    def do_HEAD(self):
        self.send(b"")

    def do_POST(self):
        global number
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self.send(b'{"input_tokens":10}')
        isMessages = path.endswith("/messages")
        words, isAnswered = prompt(body.get("messages" if isMessages else "input", []))
        # Agents ask for titles and summaries beside a turn.
        isTurn = bool(body.get("tools")) and "title" not in str(body.get("instructions", ""))
        with lock:
            number += 1
            mine = number
        if isTurn:
            note(ev="begin", id=mine, prompt=words, isAnswered=isAnswered)
        run = re.search(r"%run (.+)", words) if isTurn and not isAnswered else None
        slow = re.search(r"%slow (\d+) (\d+)", words) if isTurn and not isAnswered else None
        pieces, gap = ["Echo: " + words[-200:]], 0
        if slow:
            pieces, gap = ["w%d " % index for index in range(int(slow[1]))], int(slow[2]) / 1000
        if not isTurn:
            pieces = ["A title"]
        command = run[1].strip() if run else None
        try:
            self.begin()
            (self.writeMessages if isMessages else self.writeResponses)(mine, pieces, gap, command)
        except (BrokenPipeError, ConnectionResetError):
            if isTurn:
                note(ev="abort", id=mine)
            return
        if isTurn:
            note(ev="end", id=mine, hasCall=command is not None)

    def writeMessages(self, mine, pieces, gap, command):
        usage = {"input_tokens": 10, "output_tokens": 10}
        message = {"id": "msg_%d" % mine, "type": "message", "role": "assistant", "model": "fake-model", "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        self.event("message_start", message=message)
        if command:
            tool = {"type": "tool_use", "id": "toolu_%d" % mine, "name": "Bash", "input": {}}
            self.event("content_block_start", index=0, content_block=tool)
            delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": command, "description": "Run it"})}
            self.event("content_block_delta", index=0, delta=delta)
        else:
            self.event("content_block_start", index=0, content_block={"type": "text", "text": ""})
            for piece in pieces:
                self.event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
                time.sleep(gap)
        self.event("content_block_stop", index=0)
        reason = {"stop_reason": "tool_use" if command else "end_turn", "stop_sequence": None}
        self.event("message_delta", delta=reason, usage=usage)
        self.event("message_stop")

    def writeResponses(self, mine, pieces, gap, command):
        text = "".join(pieces)
        content = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "m_%d" % mine, "role": "assistant", "status": "completed", "content": content}
        if command:
            arguments = {"cmd": command, "sandbox_permissions": "require_escalated", "justification": "Shall it run?"}
            item = {"type": "function_call", "id": "fc_%d" % mine, "call_id": "call_%d" % mine, "name": "exec_command",
                    "arguments": json.dumps(arguments), "status": "completed"}
        usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
                 "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response = {"id": "resp_%d" % mine, "object": "response", "model": "fake-model", "status": "completed",
                    "output": [item], "usage": usage}
        self.event("response.created", response={**response, "status": "in_progress", "output": []})
        started = {**item, "status": "in_progress"}
        if not command:
            started["content"] = []
        self.event("response.output_item.added", output_index=0, item=started)
        if not command:
            for piece in pieces:
                self.event("response.output_text.delta", item_id=item["id"], output_index=0, content_index=0, delta=piece)
                time.sleep(gap)
        self.event("response.output_item.done", output_index=0, item=item)
        self.event("response.completed", response=response)

    def begin(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, kind, **fields):
        self.wfile.write(("event: %s\ndata: %s\n\n" % (kind, json.dumps({"type": kind, **fields}))).encode())
        self.wfile.flush()

    def send(self, data):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


http.server.ThreadingHTTPServer.request_queue_size = 64
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
