# Riff
# SPDX-License-Identifier: Apache-2.0
"""move.py moves STEPS   |  move.py imports (after moves; uses the HEAD tree as 'before')"""
import sys, re, subprocess, pathlib, collections
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import graph, table
ROOT = graph.ROOT
DEPS = {
 'RiffCore':[], 'RiffMarkdown':[], 'RiffDeflate':['RiffCore'], 'RiffShare':['RiffCore'], 'RiffScreen':['RiffCore'],'RiffSQLite':['RiffCore'],
 'RiffTransport':['RiffCore','RiffDeflate','RiffShare'], 'RiffSessions':['RiffCore','RiffTransport','RiffShare'],
 'RiffVoice':['RiffCore','RiffTransport','RiffShare'], 'RiffTalk':['RiffCore','RiffTransport','RiffVoice','RiffSessions','RiffShare'],
 'RiffServer':['RiffCore','RiffTransport','RiffVoice','RiffShare'], 'RiffACP':['RiffCore','RiffTransport'],
 'RiffGateway':['RiffCore','RiffTransport','RiffVoice'], 'RiffHub':['RiffCore','RiffTransport','RiffVoice'],
 'RiffTranscripts':['RiffCore','RiffTransport','RiffDeflate','RiffSQLite'], 'RiffHermes':['RiffCore','RiffTransport','RiffDeflate','RiffSQLite'],
 'RiffData':['RiffCore','RiffTransport','RiffDeflate'],
 'RiffTesting':['RiffCore','RiffTransport','RiffACP','RiffVoice','RiffSessions','RiffShare','RiffTalk'],
}
def git(*a): return subprocess.run(['git', *a], cwd=ROOT, check=True, capture_output=True, text=True).stdout
def moves(step):
    n = 0
    for f in git('ls-files', 'Sources').split('\n'):
        if not f: continue
        old = f[len('Sources/'):]
        new = table.new(old, step)
        if new == old: continue
        dest = ROOT/'Sources'/new
        if dest.exists(): sys.exit(f'{dest} exists')
        dest.parent.mkdir(parents=True, exist_ok=True)
        git('mv', f, f'Sources/{new}'); n += 1
    print(n, 'moved')
IMPORT = re.compile(r'^(\s*)((?:@\w+(?:\([^)]*\))?\s+)*)(public |package |internal |fileprivate |private )?import (Riff\w+)\s*$', re.M)
DECLS = graph.DECL
def decls(text): return {m[2] for m in DECLS.finditer(graph.strip(text))}
def imports():
    before = collections.defaultdict(set)   # name -> old modules
    for f in git('ls-tree', '-r', '--name-only', 'HEAD', 'Sources').split('\n'):
        if f.endswith('.swift'):
            for n in decls(git('show', f'HEAD:{f}')): before[n].add(f.split('/')[1])
    after = collections.defaultdict(set)
    for p in ROOT.glob('Sources/*/**/*.swift'):
        for n in decls(p.read_text()): after[n].add(p.relative_to(ROOT).parts[1])
    # where each file came from
    origin = {}
    for line in git('diff', '--cached', '-M', '--name-status', 'HEAD').split('\n'):
        parts = line.split('\t')
        if parts[0].startswith('R'): origin[parts[2]] = parts[1]
    changed = 0
    for p in sorted(ROOT.glob('*/**/*.swift')):
        rel = str(p.relative_to(ROOT))
        if '/.build' in rel or rel.startswith('.'): continue
        text = p.read_text(); body = graph.strip(text)
        words = set(re.findall(r'\b[A-Za-z_]\w*\b', re.sub(r'^.*\bimport \w+.*$', '', body, flags=re.M)))
        mods = {m[4]: (m[3] or '').strip() for m in IMPORT.finditer(text)}
        src = rel.startswith('Sources/')
        mine = rel.split('/')[1] if src else None
        oldmine = origin.get(rel, rel).split('/')[1] if src else None
        own = decls(text)
        visible = set(mods) | ({oldmine} if oldmine else set())
        need = {}
        usedold = collections.Counter()
        for w in words:
            if w not in after or w in own: continue
            b = before.get(w, set()) & visible
            if not b and w in before: continue
            if w not in before: continue  # new names: by hand
            for o in b: usedold[o] += 1
            if mine in after[w]: continue
            a = next(iter(after[w])) if len(after[w]) == 1 else (next(iter(b)) if next(iter(b)) in after[w] else None)
            if a is None: continue
            o = next(iter(b))
            if mine and a not in DEPS.get(mine, []):
                print('not allowed', rel, w, a); continue
            level = mods.get(o, 'public' if src else '')
            if o == oldmine and o not in mods: level = 'public' if src else ''
            rank = {'public': 3, 'package': 2, 'internal': 1, '': 0}
            if a not in need or rank[level] > rank[need[a]]: need[a] = level
        result = dict(mods)
        for m in list(result):
            if m == mine: del result[m]
            elif m not in need and usedold[m] > 0 : del result[m]
            elif not (ROOT/'Sources'/m).exists(): del result[m]
        for m, lv in need.items():
            if m != mine and m not in result: result[m] = lv
        if result == mods: continue
        # write: other imports kept, sorted by module name
        lines = text.split('\n')
        alli = [i for i, l in enumerate(lines) if re.match(r'^((?:@\w+(?:\([^)]*\))?\s+)*)(public |package |internal |fileprivate |private )?import \w', l)]
        ri = [i for i in alli if IMPORT.match(lines[i])]
        new = [(m, f"{lv + ' ' if lv else ''}import {m}") for m, lv in result.items()]
        attrs = {IMPORT.match(lines[i])[4]: IMPORT.match(lines[i])[2] for i in ri}
        new = [(m, (attrs.get(m) or '') + l) for m, l in new]
        if ri or alli:
            first = ri[0] if ri else alli[-1] + 1
            # contiguous block of imports holding `first`
            block = [i for i in alli]
            keep = [lines[i] for i in alli if i not in ri and not any(lines[j].startswith('#') for j in range(min(alli), max(alli)+1))]
            if any(lines[j].startswith('#') for j in range(min(alli), max(alli)+1)):
                out = [l for i, l in enumerate(lines) if i not in ri]
                at = first if ri else next(i for i, l in enumerate(lines) if l.startswith('#if'))
                out[at:at] = [l for _, l in sorted(new)] + ([] if ri else [''])
            else:
                every = sorted(keep + [l for _, l in new], key=lambda l: re.search(r'import (?:\w+ )?(\w+)', l)[1])
                out = lines[:alli[0]] + every + [l for i, l in enumerate(lines[alli[0]:], alli[0]) if i not in alli]
        else:
            # after the header
            at = next(i for i, l in enumerate(lines) if not l.startswith('//'))
            out = lines[:at] + [''] + [l for _, l in sorted(new)] + lines[at:]
            if not lines[at].startswith('') : pass
        p.write_text('\n'.join(out)); changed += 1
    print(changed, 'files with new imports')
if sys.argv[1] == 'moves': moves(int(sys.argv[2]))
else: imports()
