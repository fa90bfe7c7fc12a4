# Riff
# SPDX-License-Identifier: Apache-2.0
#
# Tells what an agent's files say, a line of JSON each, until its standard input ends: watch.py HOOKS HOME. It looks every
# 30 milliseconds, at Claude Code's status files and transcripts, at Codex's rollouts, and at what the host kit's hook noted.
import glob, json, os, select, sys

hooks, home = sys.argv[1], sys.argv[2]
places = {}
states = {}


def tell(kind, name, text):
    print(json.dumps({"kind": kind, "file": name, "text": text}), flush=True)


def lines(kind, pattern):
    for path in glob.glob(pattern, recursive=True):
        start = places.get(path, 0)
        try:
            with open(path, "rb") as file:
                file.seek(start)
                data = file.read()
        except OSError:
            continue
        whole = data[: data.rfind(b"\n") + 1]
        places[path] = start + len(whole)
        for line in whole.splitlines():
            tell(kind, os.path.basename(path), line.decode("utf-8", "replace"))


def files(pattern):
    found = {}
    for path in glob.glob(pattern):
        try:
            with open(path) as file:
                found[path] = file.read()
        except OSError:
            continue
    for path in [path for path in states if path not in found]:
        del states[path]
        tell("gone", os.path.basename(path), "")
    for path, text in found.items():
        # A file that is being written is read again.
        if text and states.get(path) != text:
            states[path] = text
            tell("status", os.path.basename(path), text)


while not select.select([sys.stdin], [], [], 0.03)[0]:
    lines("hook", hooks + "/*.jsonl")
    files(home + "/.claude/sessions/*.json")
    lines("record", home + "/.claude/projects/*/*.jsonl")
    lines("record", home + "/codex/sessions/**/rollout-*.jsonl")
