# Riff
# SPDX-License-Identifier: Apache-2.0
"""Which tests were where before the move and are where now: a table, and what differs.

    compare_tests.py OLD NEW    two commits
"""
import collections
import re
import subprocess
import sys

TEST = re.compile(
    r"@Test\b(?:\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?[^\n]*?(?:\n\s*(?:@[^\n]*\n\s*)*)?(?:[a-z@()]+\s+)*"
    r"func\s+(`[^`]+`|\w+)"
)
CHECK = re.compile(r"#expect\b|#require\b|Issue\.record\b|\bconfirmation\(")


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def tests_of(commit):
    """The files with a test of each name, and the tests and checks of each file."""
    files_of, counts = collections.defaultdict(list), {}
    for path in git("ls-tree", "-r", "--name-only", commit).splitlines():
        if path.endswith(".swift") and path.startswith(("Tests/", "Examples/Tests/")):
            text = git("show", f"{commit}:{path}")
            names = [name.strip("`") for name in TEST.findall(text)]
            counts[path] = (len(names), len(CHECK.findall(text)))
            for name in names:
                files_of[name].append(path)
    return files_of, counts


old, old_counts = tests_of(sys.argv[1])
new, new_counts = tests_of(sys.argv[2])
moved = collections.Counter()
for name in old:
    before, after = set(old[name]), set(new.get(name, []))
    before, after = sorted(before - after), sorted(after - before)
    # Tests with the same name in several suites are told apart by their file's name.
    for path in before:
        same = [other for other in after if other.split("/")[-1] == path.split("/")[-1]]
        target = (same or after or ["gone"])[0]
        moved[path, target] += old[name].count(path)

print("| before | now | tests |\n|---|---|---|")
for (before, after), count in sorted(moved.items()):
    print(f"| {before} | {after} | {count} |")
total = lambda counts, index: sum(pair[index] for pair in counts.values())
print(f"\nTests {total(old_counts, 0)} -> {total(new_counts, 0)}, checks {total(old_counts, 1)} -> {total(new_counts, 1)}.")
for name in sorted(set(old) ^ set(new)):
    print(f"{'gone' if name in old else 'new'}: {name}")
