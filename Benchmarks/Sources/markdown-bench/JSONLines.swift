// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffMarkdown

/// The conversation of `Examples/Conformance`, for scripts that compare with cmark-gfm.
struct JSONLines {
    private var stream = MarkdownStream()
    private var renderer = MarkdownHTML.exact()
    private var tailRenderer = MarkdownHTML.exact()
    private var drawn: MarkdownTail?

    static func run() {
        var session = JSONLines()
        while let line = readLine() {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                continue
            }
            let answer = session.answer(object)
            guard let data = try? JSONSerialization.data(withJSONObject: answer) else { continue }
            FileHandle.standardOutput.write(data + [10])
        }
    }

    private mutating func answer(_ object: [String: Any]) -> [String: Any] {
        switch object["op"] as? String {
        case "begin":
            let names: [String: MarkdownExtensions] = [
                "table": .tables, "strikethrough": .strikethrough, "autolink": .autolinks, "tasklist": .taskLists,
            ]
            let asked = object["extensions"] as? [String] ?? []
            var extensions = asked.reduce(into: MarkdownExtensions()) { $0.formUnion(names[$1] ?? []) }
            if object["footnotes"] as? Bool == true { extensions.insert(.footnotes) }
            stream = MarkdownStream(extensions: extensions)
            renderer = .exact(tagFilter: asked.contains("tagfilter"))
            tailRenderer = renderer
            tailRenderer.rawHTML = .omitted
            drawn = nil
            return ["ok": true]
        case "chunk": return describe(stream.append(object["text"] as? String ?? ""))
        default: return describe(stream.finish())
        }
    }

    private mutating func describe(_ update: MarkdownUpdate) -> [String: Any] {
        drawn = stream.tail(since: drawn)
        return [
            "stable": update.committed.map { block in
                [
                    "id": block.id, "kind": "\(block.kind)", "source": block.source, "html": renderer.text(of: block),
                ] as [String: Any]
            },
            "amend": update.amended.map { amendment in
                [
                    "id": amendment.block.id, "html": renderer.text(of: amendment.block),
                    "reason": amendment.reason.rawValue,
                ] as [String: Any]
            },
            "tail": ["source": stream.tailSource, "html": tailRenderer.text(of: stream.tail().root)],
            "delta": ["keep": update.tail.keepPrefixUTF8, "appended": update.tail.appended],
        ]
    }
}
