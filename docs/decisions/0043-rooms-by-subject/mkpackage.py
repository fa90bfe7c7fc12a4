# Riff
# SPDX-License-Identifier: Apache-2.0
"""Makes the internal declarations of files `package`: members of types and extensions at any depth, not what is in bodies."""
import re, sys, pathlib
DECL = re.compile(r'^( *)((?:@\w+(?:\([^)]*\))? )*)((?:static |final |mutating |nonisolated |indirect |lazy |override |convenience |private\(set\) )*)(func|init|let|var|struct|enum|class|actor|protocol|typealias|subscript)\b')
TYPE = re.compile(r'^ *(?:[\w@()]+ )*?(struct|enum|class|actor|extension|protocol) [\w.]+')
for f in sys.argv[1:]:
    p = pathlib.Path(f); out = []; block = {}
    for l in p.read_text().split('\n'):
        ind = len(l) - len(l.lstrip())
        around = block.get(ind - 4) if ind else 'open'
        m = DECL.match(l)
        if m and around == 'open': l = f'{m[1]}{m[2]}package {m[3]}{l[len(m[1]) + len(m[2]) + len(m[3]):]}'
        if l.rstrip().endswith('{') and not l.lstrip().startswith(('//', '}')):
            t = TYPE.match(l)
            # What is private has private members, and a protocol's have no modifier of their own.
            closed = not t or t[1] == 'protocol' or re.match(r'^ *(?:@\w+ )*(?:private|fileprivate) ', l) or around not in ('open',)
            block[ind] = 'closed' if closed else 'open'
        elif l.strip() and not l.lstrip().startswith(('//', '}', ')', '#', '@')) and ind in block and not l.rstrip().endswith(','):
            # A head over several lines keeps its kind until its brace.
            t = TYPE.match(l)
            if not t: block[ind] = 'closed'
        if re.match(r'^ *(\)|where\b|@).*\{$', l): block[ind] = block.get(ind, 'closed')
        out.append(l)
    p.write_text('\n'.join(out))
