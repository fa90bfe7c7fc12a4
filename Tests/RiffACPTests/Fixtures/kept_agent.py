# Riff
# SPDX-License-Identifier: Apache-2.0
"""An agent for tests of the keeper: counts aloud until it is told to stop, asks whether it may, and tells what it got."""
import json
import os
import queue
import sys
import threading

lock = threading.Lock()
answers = {}
waiting = {}
echoed = []
refused = []
busy = threading.Lock()
stop = threading.Event()


def send(**message):
    data = (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode()
    with lock:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def update(**update):
    send(method="session/update", params={"sessionId": "s", "update": update})


def say(text):
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})


def ask(number):
    """Asks for a permission, and waits for the first answer."""
    waiting[number] = queue.Queue()
    options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]
    tool = {"toolCallId": f"call-{number}", "title": f"Tool {number}", "status": "pending"}
    send(id=number, method="session/request_permission", params={"sessionId": "s", "toolCall": tool, "options": options})
    outcome = waiting[number].get()["outcome"]
    update(sessionUpdate="tool_call_update", toolCallId=f"call-{number}", status="completed", title=outcome.get("optionId", "-"))


def turn(id, words):
    # "ask N" asks N times, one after another. "count MILLISECONDS" counts, with one question open meanwhile.
    if words[0] == "ask":
        for number in range(int(words[1])):
            ask(1000 + number)
    else:
        question = threading.Thread(target=ask, args=(1,))
        question.start()
        number = 0
        while not stop.wait(int(words[1]) / 1000):
            # Lines of all lengths, some longer than a pipe writes at once.
            say(f"{number}{' ' * (6000 if number % 100 == 0 else number % 150)}\n")
            number += 1
        say(f"{number}\n")
        question.join()
    busy.release()
    send(id=id, result={"stopReason": "end_turn"})


for line in sys.stdin.buffer:
    message = json.loads(line)
    id, method, params = message.get("id"), message.get("method"), message.get("params")
    if method == "initialize":
        send(id=id, result={"protocolVersion": 1, "agentInfo": {"name": "kept", "version": str(os.getpid())}})
    elif method == "session/new":
        send(id=id, result={"sessionId": "s"})
    elif method == "session/prompt":
        words = params["prompt"][0]["text"].split()
        # As most agents do, it takes one prompt at a time.
        if not busy.acquire(blocking=False):
            refused.append(id)
            send(id=id, error={"code": -32600, "message": "a turn runs already"})
            continue
        threading.Thread(target=turn, args=(id, words), daemon=True).start()
    elif method == "_echo":
        echoed.append(params["number"])
        send(id=id, result=params)
    elif method == "_stop":
        stop.set()
    elif method == "_exit":
        print("these are my last words", file=sys.stderr, flush=True)
        os._exit(7)
    elif method == "_stats":
        send(id=id, result={"pid": os.getpid(), "answers": answers, "echoed": echoed, "refused": len(refused)})
    elif method is None and id is not None:
        answers[str(id)] = answers.get(str(id), 0) + 1
        if answers[str(id)] == 1:
            waiting[id].put(message["result"])
