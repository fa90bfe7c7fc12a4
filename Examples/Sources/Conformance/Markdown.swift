// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffCore
import RiffMarkdown

extension Conformance {
    /// What a markdown text says, while it comes and at its end.
    struct Markdown: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads texts in pieces, one JSON object a line, and writes what each piece completes.",
            discussion: """
                {op: begin, id, extensions, footnotes} begins a text; table, strikethrough, autolink, tasklist and \
                tagfilter are extensions. {op: chunk, text} and {op: end} are answered with {stable: [{id, kind, source, \
                html}], amend: [{id, html, reason}], tail: {source, html}}: the blocks that became complete, those before \
                them that a late definition changes, and what is not complete. The HTML is cmark-gfm's; in the tail's, raw \
                HTML is left out.
                """
        )

        func run() throws {
            var text = Text()
            while let line = readLine() {
                guard !line.isEmpty else { continue }
                let answer = text.answer(try JSONValue(parsing: line))
                // Written at once, not buffered: who asks may wait for each answer.
                try FileHandle.standardOutput.write(contentsOf: Data(answer.bytes() + [0x0A]))
            }
        }

        /// A text that is being read.
        private struct Text {
            private var stream = MarkdownStream()
            private var html = MarkdownHTML.exact()

            mutating func answer(_ request: JSONValue) -> JSONValue {
                let update: MarkdownUpdate
                switch request["op"]?.text {
                case "begin":
                    let names = request["extensions"]?.array?.compactMap(\.text) ?? []
                    var extensions = MarkdownExtensions.commonMark
                    for name in names { extensions.formUnion(Self.extensions[name] ?? []) }
                    if request["footnotes"] == true { extensions.insert(.footnotes) }
                    stream = MarkdownStream(extensions: extensions)
                    html = .exact(tagFilter: names.contains("tagfilter"))
                    return ["ok": true]
                case "chunk": update = stream.append(request["text"]?.text ?? "")
                case "end": update = stream.finish()
                default: return ["error": "begin, chunk and end are what can be asked"]
                }
                return describe(update)
            }

            private func describe(_ update: MarkdownUpdate) -> JSONValue {
                let stable = update.committed.map { block -> JSONValue in
                    [
                        "id": .integer(Int64(block.id)), "kind": .string(Self.name(of: block.kind)),
                        "source": .string(block.source), "html": .string(html.text(of: block)),
                    ]
                }
                let amended = update.amended.map { amendment -> JSONValue in
                    [
                        "id": .integer(Int64(amendment.block.id)), "html": .string(html.text(of: amendment.block)),
                        "reason": .string(amendment.reason.rawValue),
                    ]
                }
                var picture = html
                picture.rawHTML = .omitted
                let tail: JSONValue = [
                    "source": .string(stream.tailSource), "html": .string(picture.text(of: stream.tail().root)),
                ]
                return ["stable": .array(stable), "amend": .array(amended), "tail": tail]
            }

            private static let extensions: [String: MarkdownExtensions] = [
                "table": .tables, "strikethrough": .strikethrough, "autolink": .autolinks, "tasklist": .taskLists,
            ]

            /// As cmark's own XML names it.
            private static func name(of kind: MarkdownNode.Kind) -> String {
                switch kind {
                case .paragraph: "paragraph"
                case .heading: "heading"
                case .thematicBreak: "thematic_break"
                case .quote: "block_quote"
                case .list: "list"
                case .codeBlock: "code_block"
                case .htmlBlock: "html_block"
                case .table: "table"
                case .footnotes: "footnotes"
                case .footnote: "footnote_definition"
                case .mathBlock: "math_block"
                case .definitions: "definitions"
                case .blank: "blank"
                // What stands in a block only.
                default: "other"
                }
            }
        }
    }
}
