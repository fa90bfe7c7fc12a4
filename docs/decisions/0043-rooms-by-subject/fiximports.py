# Riff
# SPDX-License-Identifier: Apache-2.0
"""Reads a build log and mends imports: missing ones, levels too low, levels too high."""
import re, sys, pathlib, collections
log = open(sys.argv[1]).read()
RANK = ['internal', 'package', 'public']
want = collections.defaultdict(dict)  # file -> module -> level
down = collections.defaultdict(set)
for m in re.finditer(r'^(/\S+?\.swift):\d+:\d+: (?:error|warning): (.*)$', log, re.M):
    f, msg = m[1], m[2]
    x = re.search(r"missing import of defining module '(\w+)'", msg)
    if x: want[f].setdefault(x[1], 'internal'); continue
    x = re.search(r"in an? (public|package|internal).*'(\w+)' (?:was not imported publicly|is imported as|has been imported as|imported as)", msg) or re.search(r"because '(\w+)' (?:was not imported publicly)", msg)
    x = re.search(r"'(\w+)' (?:was not imported publicly|imported as \w+|was imported as \w+ .*)", msg)
    if x and x[1].startswith('Riff'):
        lvl = 'package' if re.search(r"\bpackage\b", msg) and 'public' not in msg.split("imported")[0] else 'public'
        want[f][x[1]] = lvl; continue
    x = re.search(r"(public|package) import of '(\w+)' was not used in", msg)
    if x: down[f].add((x[2], x[1])); continue
# an error "uses an internal type", whose note names the module
cur = None
for l in log.split('\n'):
    m = re.match(r"^(/\S+?\.swift):\d+:\d+: (error|warning): (.*)$", l)
    if m: cur = (m[1], m[3])
    m = re.search(r"is imported by this file as '(?:internal|package)' from '(Riff\w+)'", l)
    if m and cur: want[cur[0]][m[1]] = 'package' if 'declared package' in cur[1] or 'package' in cur[1].split(' ')[:6] else 'public'
n = 0
for f in set(want) | set(down):
    p = pathlib.Path(f); t = p.read_text(); src = '/Sources/' in f and '/Examples/' not in f
    for mod, was in down.get(f, ()):  
        t2 = re.sub(rf'^{was} import {mod}$', ('package' if was == 'public' else 'internal') + f' import {mod}', t, flags=re.M)
        n += t2 != t; t = t2
    for mod, lvl in want.get(f, {}).items():
        m = re.search(rf'^((?:@\w+(?:\([^)]*\))? )*)(public |package |internal )?import {mod}$', t, re.M)
        line = (f'{lvl} ' if src else '') + f'import {mod}'
        if m: t2 = t[:m.start()] + line + t[m.end():]
        else:
            lines = t.split('\n')
            ii = [i for i, l in enumerate(lines) if re.match(r'^(@\w+(\([^)]*\))? )*(public |package |internal |private |fileprivate )?import \w', l)]
            if ii:
                at = next((i for i in ii if re.search(r'import (\w+)', lines[i])[1] > mod), ii[-1] + 1)
                lines[at:at] = [line]
            else:
                at = next(i for i, l in enumerate(lines) if not l.startswith('//'))
                lines[at:at] = ['', line]
            t2 = '\n'.join(lines)
        n += t2 != t; t = t2
    if t != p.read_text(): p.write_text(t)
print(n, 'imports mended')
