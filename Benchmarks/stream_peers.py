#!/usr/bin/env python3
# Riff
# SPDX-License-Identifier: Apache-2.0
"""stream_peers.py - what Python's libraries for event streams need for a body (own code; see scripts/fetch-stream-peers).

  stream_peers.py events|chat httpx-sse|sseclient-py|openai FILE CHUNK

Reads FILE as a response's body in chunks of CHUNK bytes. `events` takes every event out of it, `chat` parses the JSON of
each as well and joins the content. Prints one JSON line: CPU seconds, events, characters of content.
"""
import json
import sys
import time


class Body:
    """What urllib3 and requests give: an iterable of bytes that can be closed."""

    def __init__(self, chunks):
        self.chunks = chunks

    def __iter__(self):
        return iter(self.chunks)

    def close(self):
        pass


def httpx_sse(chunks):
    import httpx
    from httpx_sse import EventSource
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=iter(chunks))
    return EventSource(response).iter_sse()


def sseclient_py(chunks):
    import sseclient
    return sseclient.SSEClient(Body(chunks)).events()


def openai(chunks):
    from openai._streaming import SSEDecoder
    return SSEDecoder().iter_bytes(iter(chunks))


PEERS = {"httpx-sse": httpx_sse, "sseclient-py": sseclient_py, "openai": openai}


def main():
    mode, peer, path, size = sys.argv[1:]
    with open(path, "rb") as file:
        body = file.read()
    size = int(size)
    chunks = [body[i:i + size] for i in range(0, len(body), size)]
    events = PEERS[peer](chunks)  # imports what it needs
    count, content = 0, []
    start = time.process_time()
    if mode == "events":
        for event in events:
            count += 1
    else:
        for event in events:
            count += 1
            content.append(json.loads(event.data)["choices"][0]["delta"]["content"])
    text = "".join(content)
    print(json.dumps({"cpu_s": time.process_time() - start, "events": count, "characters": len(text)}))


main()
