#!/usr/bin/env python3
# Riff
# SPDX-License-Identifier: Apache-2.0
"""acp_replay.py - ACP throughput/latency anchor (own code; stdlib, SDK only for `client-sdk`).

  acp_replay.py agent [--n 100000] [--size 24] [--rate 0] [--mix]
        stdio agent: answers initialize/session/new; on session/prompt it writes N
        session/update notifications (pre-encoded, buffered; --rate R = paced, msgs/s),
        then the response {"stopReason":"end_turn"}.  Each update carries
        _meta.t = CLOCK_MONOTONIC ns at write, and _meta.i = index, so that a client on
        the same machine can measure latency and order.  --mix cycles message chunk,
        thought chunk, tool_call, tool_call_update, plan, usage_update.
        session/set_mode answers at once (use it for request round trips).
  acp_replay.py client-raw [agent options]   readline + json.loads: the floor for Python
  acp_replay.py client-sdk [agent options]   the agent-client-protocol SDK's client
Both clients print one JSON line: total s, msgs/s, latency p50/p95/p99/max ms, RTT.
"""
import argparse, asyncio, json, os, subprocess, sys, time


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def updates(mix, size):
    txt = "x" * size
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": txt}}
    if not mix:
        return [chunk]
    return [chunk, {"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": txt}},
            {"sessionUpdate": "tool_call", "toolCallId": "tc-1", "title": "read: a.txt", "kind": "read",
             "status": "pending", "locations": [{"path": "/home/user/a.txt", "line": 3}], "rawInput": {"path": "a.txt"}},
            {"sessionUpdate": "tool_call_update", "toolCallId": "tc-1", "status": "completed",
             "content": [{"type": "content", "content": {"type": "text", "text": txt}},
                         {"type": "diff", "path": "/home/user/a.txt", "oldText": "a", "newText": "b"}]},
            {"sessionUpdate": "plan", "entries": [{"content": "step", "priority": "medium", "status": "pending"}]},
            {"sessionUpdate": "usage_update", "used": 1000, "size": 200000}]


def agent(a):
    out = os.fdopen(1, "wb", buffering=1 << 16)

    def send(o):
        out.write(json.dumps(o, separators=(",", ":")).encode() + b"\n"); out.flush()
    for line in sys.stdin.buffer:
        m = json.loads(line)
        me, i = m.get("method"), m.get("id")
        if me == "initialize":
            send({"jsonrpc": "2.0", "id": i, "result": {"protocolVersion": 1, "agentCapabilities": {},
                  "authMethods": [], "agentInfo": {"name": "acp-replay", "version": "1"}}})
        elif me == "session/new":
            send({"jsonrpc": "2.0", "id": i, "result": {"sessionId": "replay-1"}})
        elif me == "session/prompt":
            pre = []
            for u in updates(a.mix, a.size):
                s = json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {
                    "sessionId": "replay-1", "update": u, "_meta": {"t": "@T", "i": "@I"}}}, separators=(",", ":"))
                p, q = s.split('"@T"'); q, r = q.split('"@I"')
                pre.append((p.encode(), q.encode(), r.encode() + b"\n"))
            t0 = now()
            for k in range(a.n):
                if a.rate:
                    due = t0 + k * 1000000000 // a.rate
                    while True:
                        d = due - now()
                        if d <= 0:
                            break
                        time.sleep(d / 1e9)
                p, q, r = pre[k % len(pre)]
                out.write(p + b"%d" % now() + q + b"%d" % k + r)
                if a.rate:
                    out.flush()
            send({"jsonrpc": "2.0", "id": i, "result": {"stopReason": "end_turn"}})
        elif i is not None and me:
            send({"jsonrpc": "2.0", "id": i, "result": {}})


def report(name, a, t0, t1, tr, lats, rtts, ordered):
    lats.sort(); rtts.sort()

    def pc(v, p):
        return round(v[min(len(v) - 1, int(len(v) * p))] / 1e6, 3) if v else None
    print(json.dumps({"client": name, "n": len(lats), "size": a.size, "mix": a.mix, "rate": a.rate,
                      "total_s": round((t1 - t0) / 1e9, 3), "msgs_per_s": round(len(lats) / ((t1 - t0) / 1e9)),
                      "response_after_s": round((tr - t0) / 1e9, 3), "seen_at_response": report.seen, "in_order": ordered,
                      "lat_ms": {"p50": pc(lats, .5), "p95": pc(lats, .95), "p99": pc(lats, .99), "max": pc(lats, 1)},
                      "rtt_ms": {"p50": pc(rtts, .5), "p99": pc(rtts, .99)}}))


def argv(a):
    v = [sys.executable, os.path.abspath(__file__), "agent", "--n", str(a.n), "--size", str(a.size), "--rate", str(a.rate)]
    return v + (["--mix"] if a.mix else [])


def client_raw(a):
    p = subprocess.Popen(argv(a), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    nid = [0]

    def req(m, pr):
        nid[0] += 1
        p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": nid[0], "method": m, "params": pr}).encode() + b"\n"); p.stdin.flush()
        return nid[0]

    def wait(i, on=None):
        while True:
            m = json.loads(p.stdout.readline())
            if m.get("id") == i:
                return m
            on and on(m)
    wait(req("initialize", {"protocolVersion": 1})); wait(req("session/new", {"cwd": "/tmp", "mcpServers": []}))
    rtts, lats, idx = [], [], []
    for _ in range(1000):
        s = now(); wait(req("session/set_mode", {"sessionId": "replay-1", "modeId": "x"})); rtts.append(now() - s)
    t0 = now()

    def on(m):
        x = m["params"]["_meta"]; lats.append(now() - x["t"]); idx.append(x["i"])
    wait(req("session/prompt", {"sessionId": "replay-1", "prompt": [{"type": "text", "text": "go"}]}), on)
    t1 = now(); report.seen = len(lats)
    report("raw-json", a, t0, t1, t1, lats, rtts, idx == sorted(idx))
    p.stdin.close(); p.wait(5)


async def client_sdk(a):
    import acp
    lats, rtts, idx = [], [], []
    done = asyncio.Event()

    class C(acp.Client):
        async def session_update(self, session_id, update, **kw):
            lats.append(now() - kw["t"]); idx.append(kw["i"])
            if len(lats) == a.n:
                done.set()
    cmd = argv(a)
    async with acp.spawn_agent_process(C(), cmd[0], *cmd[1:]) as (conn, proc):
        await conn.initialize(protocol_version=1)
        await conn.new_session(cwd="/tmp", mcp_servers=[])
        for _ in range(1000):
            s = now(); await conn.set_session_mode(session_id="replay-1", mode_id="x"); rtts.append(now() - s)
        t0 = now()
        await conn.prompt(session_id="replay-1", prompt=[acp.text_block("go")])
        tr = now(); report.seen = len(lats)
        await asyncio.wait_for(done.wait(), 300)
        report("agent-client-protocol(py)", a, t0, now(), tr, lats, rtts, idx == sorted(idx))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("mode", choices=["agent", "client-raw", "client-sdk"])
    ap.add_argument("--n", type=int, default=100000)
    ap.add_argument("--size", type=int, default=24, help="text bytes a chunk")
    ap.add_argument("--rate", type=int, default=0)
    ap.add_argument("--mix", action="store_true")
    a = ap.parse_args()
    report.seen = 0
    if a.mode == "agent":
        agent(a)
    elif a.mode == "client-raw":
        client_raw(a)
    else:
        asyncio.run(client_sdk(a))


if __name__ == "__main__":
    main()
