# Riff
# SPDX-License-Identifier: Apache-2.0
"""Fills a Hermes state.db of schema 22 with made-up sessions, the same each time.

    python3 Benchmarks/hermes_fill.py FILE [--sessions 50000] [--messages 760000] [--months 24]

The words follow Zipf's law over 20,000 made-up words, so that an index has common and rare ones; `quokka` is in 0.9 % of
the messages and `everywhere` in nearly all. The newest message is of 2026-11-01.
"""

import argparse
import itertools
import json
import os
import random
import sqlite3
import time

END = 1793491200.0  # 2026-11-01 00:00 UTC
SOURCES = ["cli"] * 50 + ["acp"] * 20 + ["telegram"] * 12 + ["cron"] * 8
MODELS = ["glow-large"] * 5 + ["glow-small"] * 3 + ["opal-2"] * 2
TOOLS = ["terminal"] * 8 + ["read_file"] * 6 + ["write_file"] * 3 + ["search_files"] * 3 + ["todo", "memory"]


def words(random_source):
    parts = "ka re mi to su na ve lo di pa shu er ti gan mor bel".split()
    made = {"everywhere": None}
    while len(made) < 20_000:
        made["".join(random_source.choices(parts, k=random_source.randint(2, 4)))] = None
    made = list(made)
    weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(made))))
    return made, weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--sessions", type=int, default=50_000)
    parser.add_argument("--messages", type=int, default=760_000)
    parser.add_argument("--months", type=int, default=24)
    options = parser.parse_args()
    chance = random.Random(22)
    vocabulary, weights = words(chance)
    schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/RiffHermesTests/Fixtures/Hermes/state-schema.sql")
    database = sqlite3.connect(options.file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -400000")
    database.executescript(open(schema).read())
    database.execute("INSERT INTO schema_version VALUES (22)")

    def text(count):
        return " ".join(chance.choices(vocabulary, cum_weights=weights, k=count))

    prompts = [text(700) for _ in range(8)]  # about 4 KB, of which SQLite reads nothing unless asked
    span = options.months * 30.4375 * 86400
    began = time.monotonic()
    number = 0
    parents = []
    for index in range(options.sessions):
        started = END - span + span * index / options.sessions
        count = options.messages * (index + 1) // options.sessions - options.messages * index // options.sessions
        model = chance.choice(MODELS)
        kind = chance.random()
        parent, config, source, reason = None, {"max_iterations": 90}, chance.choice(SOURCES), "cli_close"
        if parents and kind < 0.10:
            parent, source, reason = chance.choice(parents[-50:]), "subagent", "agent_close"
            config["_delegate_from"] = parent
        elif parents and kind < 0.14:
            parent = chance.choice(parents[-50:])
        name = f"20260101_{index:06d}_{chance.getrandbits(24):06x}"
        if parent is None:
            parents.append(name)
        if index % 1000 == 0:
            if index:
                database.execute("COMMIT")
            database.execute("BEGIN")
        calls = 0
        rows = []
        for place in range(count):
            number += 1
            stamp = started + place * 7.25
            role = ("user", "assistant", "tool", "assistant")[place % 4]
            content = text(chance.randint(8, 40))
            if number % 111 == 0:
                content += " quokka"
            if chance.random() < 0.9:
                content += " everywhere"
            call, requests, tool, finish = None, None, None, None
            if place % 4 == 1:
                tool_name = chance.choice(TOOLS)
                arguments = json.dumps({"path": f"/home/user/{text(1)}.txt"})
                requests = json.dumps([{"id": f"call_{number}", "call_id": f"call_{number}", "type": "function",
                                        "function": {"name": tool_name, "arguments": arguments}}])
                content, finish = "", "tool_calls"
                calls += 1
            elif place % 4 == 2:
                call, tool = f"call_{number - 1}", tool_name
            elif place % 4 == 3:
                finish = "stop"
            fate = chance.random()
            rows.append((name, role, content, call, requests, tool, stamp, finish,
                         0 if fate < 0.02 else 1, 1 if 0.02 <= fate < 0.05 else 0))
        database.execute(
            "INSERT INTO sessions (id, source, model, model_config, system_prompt, parent_session_id, started_at, ended_at, "
            "end_reason, message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, reasoning_tokens, "
            "estimated_cost_usd, title, api_call_count, archived) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (name, source, model, json.dumps(config), prompts[index % 8], parent, started, started + count * 7.25, reason,
             count, calls, count * 900, count * 110, count * 400, count * 30, count * 0.0021,
             f"{text(4)} {index}", count // 2, 1 if chance.random() < 0.05 else 0))
        database.executemany(
            "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, finish_reason, "
            "active, compacted) VALUES (?,?,?,?,?,?,?,?,?,?)", rows)
        database.execute(
            "INSERT INTO session_model_usage (session_id, model, api_call_count, input_tokens, output_tokens, cache_read_tokens, "
            "reasoning_tokens, estimated_cost_usd, first_seen, last_seen) VALUES (?,?,?,?,?,?,?,?,?,?)",
            (name, model, count // 2, count * 900, count * 110, count * 400, count * 30, count * 0.0021, started, started))
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    print(f"{options.sessions} sessions, {number} messages, {os.path.getsize(options.file) / 1e9:.2f} GB, "
          f"{time.monotonic() - began:.0f} s")


main()
