# Riff
# SPDX-License-Identifier: Apache-2.0
import re,sys,pathlib
for f in sys.argv[1:]:
    p=pathlib.Path(f); out=[]; ctx=None
    for l in p.read_text().split('\n'):
        m=re.match(r'^(?:(\w+) )*?(struct|enum|class|actor|extension|protocol)\b',l)
        if m and not l.startswith(' '): ctx=(m[2], bool(re.match(r'^(fileprivate|private)\b',l)))
        ind=len(l)-len(l.lstrip())
        if ind in (0,4) and not (ctx and ctx[1]) and not (ind==4 and ctx and ctx[0]=='protocol'):
            m=re.match(r'^( *)((?:static |final |mutating |nonisolated |indirect |lazy |override )*)(func|init|let|var|struct|enum|class|actor|protocol|typealias|subscript)\b',l)
            if m and not re.match(r'^ *(public|package|private|fileprivate)',l): l=m[1]+'package '+l[len(m[1]):]
        out.append(l)
    p.write_text('\n'.join(out))
