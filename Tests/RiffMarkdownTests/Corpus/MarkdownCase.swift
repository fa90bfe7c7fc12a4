// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffMarkdown
import TestSupport
import Testing

/// A text of a corpus, and what cmark-gfm says of it.
struct MarkdownCase: Sendable, CustomTestStringConvertible {
    var corpus: String
    var name: String
    var markdown: String
    /// The HTML that it should become; nil if any will do.
    var html: String?
    var extensions: MarkdownExtensions
    var tagFilter = false
    /// The end of each line, and where the last top-level block starts in the text up to there, in bytes.
    var lastStarts: [[Int]]

    var testDescription: String { "\(corpus) \(name)" }

    /// Examples whose HTML is another in cmark-gfm 0.29, because rules changed after it: character references of eight
    /// digits, `<textarea>` as an HTML block, currency signs next to emphasis, and two forms of comments.
    static let newerRules: Set<String> = ["28", "171", "354", "625", "626"]
    /// Examples of tasks, whose attributes cmark-gfm writes in another order.
    static let taskAttributes: Set<String> = ["279", "280"]

    private struct Example: Decodable {
        var example: Int
        var section: String
        var extensions: [String]
        var markdown: String
        var html: String
    }

    static func commonMark() throws -> [MarkdownCase] { try read("commonmark-0.31.2", .commonMark) }

    static func gitHub() throws -> [MarkdownCase] { try read("gfm-0.29", .commonMark) }

    static func extensions() throws -> [MarkdownCase] { try read("gfm-extensions", .gitHub) }

    static func answers() throws -> [MarkdownCase] {
        let html = try Fixture.json([String: [String: String]].self, "answers-html")
        let starts = try Fixture.json([String: [[[Int]]]].self, "last-block-starts")["answers"] ?? []
        return try zip(html.keys.sorted(), starts).map { name, starts in
            MarkdownCase(
                corpus: "answers",
                name: name,
                markdown: try Fixture.text("answers/" + name),
                html: html[name]?["gfm"],
                extensions: .gitHub,
                lastStarts: starts
            )
        }
    }

    private static func read(_ corpus: String, _ extensions: MarkdownExtensions) throws -> [MarkdownCase] {
        let examples = try Fixture.json([Example].self, corpus)
        let starts = try Fixture.json([String: [[[Int]]]].self, "last-block-starts")[corpus] ?? []
        let names: [String: MarkdownExtensions] = [
            "table": .tables, "strikethrough": .strikethrough, "autolink": .autolinks, "disabled": .taskLists,
        ]
        return zip(examples, starts).map { example, starts in
            let footnotes: MarkdownExtensions = example.section == "Footnotes" ? .footnotes : []
            return MarkdownCase(
                corpus: corpus,
                name: "\(example.example)",
                markdown: example.markdown,
                html: example.html == "<IGNORE>\n" ? nil : example.html,
                extensions: example.extensions.reduce(into: extensions.union(footnotes)) {
                    $0.formUnion(names[$1] ?? [])
                },
                tagFilter: corpus == "gfm-extensions" || example.extensions.contains("tagfilter"),
                lastStarts: starts
            )
        }
    }
}
