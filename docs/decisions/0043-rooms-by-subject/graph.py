# Riff
# SPDX-License-Identifier: Apache-2.0
"""Name graph of Sources: declared names per file, and who uses them."""
import pathlib, re, collections
ROOT = pathlib.Path.cwd()
DECL = re.compile(r'^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated|distributed)(?:\(set\))?\s+)*(struct|class|enum|protocol|actor|typealias|func|let|var)\s+`?([A-Za-z_]\w*)', re.M)
def strip(text):
    text = re.sub(r'#"""(.*?)"""#', lambda m: '\n'*m[0].count('\n'), text, flags=re.S)
    text = re.sub(r'"""(.*?)"""', lambda m: ' '.join(re.findall(r'\\\(([^"]*?)\)', m[0])) + '\n'*m[0].count('\n'), text, flags=re.S)
    text = re.sub(r'//[^\n]*', '', text)
    return text
FILES = {}
def load(globs=('Sources/*/**/*.swift',)):
    out = {}
    for g in globs:
        for p in sorted(ROOT.glob(g)):
            t = strip(p.read_text())
            decls = {m[1] for m in DECL.finditer(t)} if False else set()
            for m in re.finditer(DECL, t):
                # only top level: column 0
                decls.add(m[2])
            words = set(re.findall(r'\b[A-Za-z_]\w*\b', t))
            out[p.relative_to(ROOT)] = (decls, words)
    return out
