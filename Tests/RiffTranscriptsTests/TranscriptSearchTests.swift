// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTranscripts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TranscriptSearchTests {
    private static let texts = [
        "The build is green again",
        "Caf\u{E9} cre\u{300}me and na\u{EF}ve r\u{E9}sum\u{E9}s",
        "\u{4E16}\u{754C}\u{4EBA}\u{6C11}\u{5927}\u{56E2}\u{7ED3}\u{4E07}\u{5C81}",
        "\u{6771}\u{4EAC}\u{90FD}\u{306E}\u{5929}\u{6C17}\u{306F}\u{6674}\u{308C}",
        "\u{D55C}\u{AD6D}\u{C5B4}\u{B97C} \u{ACF5}\u{BD80}\u{D569}\u{B2C8}\u{B2E4}",
        "Deploy \u{1F680}\u{1F680} done \u{1F389}",
        "let f = { x -> Int in x ?? 0 }",
        "see /Sources/RiffData/TranscriptStore.swift:42",
        "100% of snake_case_names\\n",
        "\u{C4}PFEL und \u{D6}l",
        "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442} \u{39B}\u{39F}\u{393}\u{39F}\u{3A3}",
    ]

    private static func withTexts(_ body: (TranscriptStore) async throws -> Void) async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let messages = texts.enumerated().map { TranscriptLab.message("\($0)", $1, at: Double($0)) }
            try await store.save(TranscriptSession(id: "s", title: "All"), messages)
            try await body(store)
        }
    }

    @Test(arguments: [
        ("BUILD green", [0]), ("cafe", [1]), ("CAF\u{C9}", [1]), ("creme naive resumes", [1]), ("resume", []),
        ("\u{754C}\u{4EBA}\u{6C11}", [2]), ("\u{754C}\u{4EBA}", [2]), ("\u{5C81}", [2]), ("\u{4E07}\u{5C81}", [2]),
        ("\u{5929}\u{6C17}", [3]), ("\u{6674}\u{308C}", [3]), ("\u{ACF5}\u{BD80}", [4]),
        ("\u{D55C}\u{AD6D}\u{C5B4}", [4]),
        ("\u{1F680}", [5]), ("\u{1F680}\u{1F680}", [5]), ("done \u{1F389}", [5]), ("->", [6]), ("??", [6]),
        ("TranscriptStore", [7]), ("apfel", [9]),
        ("\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}", [10]), ("missing", []), ("build missing", []),
    ])
    func `words of every script are found`(query: String, expected: [Int]) async throws {
        try await Self.withTexts { (store) async throws in
            #expect(try await store.texts(TranscriptSearch(query)) == expected.map { Self.texts[$0] })
        }
    }

    @Test(arguments: [
        ("cript", [7]), ("SCRIPTSTORE.SW", [7]), ("ee", [7, 0]), ("100%", [8]),
        ("0%", [8]), ("e_case", [8]), ("s\\n", [8]), ("\u{E4}pfel", [9]), ("\u{F6}l", [9]), ("f\u{E9}", [1]),
        ("xyz", []),
        ("\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}", [10]), ("\u{41F}\u{420}\u{438}\u{412}", [10]),
        ("\u{43F}\u{440}", [10]), ("\u{3C3}", [10]),
        ("\u{E4}PfEl UND", [9]), ("\u{E4}b", []),
        ("ui een", [0]),
    ])
    func `parts of words are found`(query: String, expected: [Int]) async throws {
        try await Self.withTexts { (store) async throws in
            let search = TranscriptSearch(FTSQuery(query), matching: .substrings)
            let results = try await store.search(search)
            #expect(results.hits.map(\.message) == expected.map { "\($0)" })
            #expect(results.order == .newest && results.extent == .all)
            for hit in results.hits { #expect(!hit.snippet.marks.isEmpty) }
        }
    }

    @Test func `operators, where they are asked for`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let texts = ["red apple", "green apple", "green tea", "apple pie and red wine"]
            let messages = texts.enumerated().map { TranscriptLab.message("\($0)", $1, at: Double($0)) }
            try await store.save(TranscriptSession(id: "s"), messages)
            for matching in [TranscriptSearch.Matching.words, .substrings] {
                func found(_ text: String) async throws -> [String] {
                    let query = FTSQuery(text, syntax: .operators)
                    return try await store.search(TranscriptSearch(query, matching: matching, order: .newest)).hits.map(
                        \.message
                    )
                }
                #expect(try await found("apple -red") == ["1"])
                #expect(try await found(#""red apple""#) == ["0"])
                #expect(try await found("tea OR pie") == ["3", "2"])
                #expect(try await found("gre*") == ["2", "1"])
                #expect(try await found("-red") == [])
            }
        }
    }

    @Test(arguments: [TranscriptSearch.Matching.words, .substrings])
    func `a query of very many words finds by the first of them`(matching: TranscriptSearch.Matching) async throws {
        try await Self.withTexts { (store) async throws in
            let words = ["green"] + (0..<600).map { "w\($0)" }
            let query = FTSQuery(words.joined(separator: " OR "), syntax: .operators)
            #expect(query.groups.flatMap { $0 }.count == FTSQuery.termLimit)
            let results = try await store.search(TranscriptSearch(query, matching: matching))
            #expect(results.hits.map(\.message) == ["0"])
        }
    }

    @Test func `the best comes first, or the newest, and pages hold all of them`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let messages = (0..<40).map { number in
                let words = String(repeating: "filler ", count: number % 5 * 10)
                return TranscriptLab.message("\(number)", "needle \(words)", at: Double(number))
            }
            try await store.save(TranscriptSession(id: "s"), messages)
            for order in [TranscriptSearch.Order.rank, .newest] {
                var ids: [String] = []
                var cursor: TranscriptCursor?
                repeat {
                    let results = try await store.search(
                        TranscriptSearch("needle", order: order),
                        after: cursor,
                        limit: 7
                    )
                    #expect(results.order == order && results.extent == .all)
                    ids += results.hits.map(\.message)
                    cursor = results.next
                } while cursor != nil
                #expect(ids.count == 40 && Set(ids).count == 40)
                if order == .newest { #expect(ids == (0..<40).reversed().map { "\($0)" }) }
                if order == .rank { #expect(ids.prefix(8).allSatisfy { (Int($0) ?? 1).isMultiple(of: 5) }) }
            }
        }
    }

    @Test func `only so many matches are ranked, and the results say so`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let count = TranscriptStore.rankedMatches + 5
            let messages = (0..<count).map {
                TranscriptLab.message("\($0)", $0 == 0 ? "word" : "word and more", at: Double($0))
            }
            try await store.save(TranscriptSession(id: "s"), messages)
            let results = try await store.search(TranscriptSearch("word"))
            #expect(results.extent == .newestMatches(TranscriptStore.rankedMatches))
            // The best is among the oldest, which are not ranked.
            #expect(!results.hits.contains { $0.message == "0" })
            #expect(try await store.search(TranscriptSearch("word", order: .newest)).extent == .all)
        }
    }

    @Test func `the newest matches that are ranked are those that are looked for`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let old = [
                TranscriptLab.message("1", "word", role: .assistant), TranscriptLab.message("2", "word"),
                TranscriptLab.message("3", "nothing"),
            ]
            try await store.save(TranscriptSession(id: "old"), old)
            try await store.setArchived(true, "old")
            let many = (0..<TranscriptStore.rankedMatches + 5).map {
                TranscriptLab.message("\($0)", "word", at: TranscriptLab.noon + 60)
            }
            try await store.save(TranscriptSession(id: "new"), many)
            let query = FTSQuery("word")
            for search in [
                TranscriptSearch(query, session: "old"), TranscriptSearch(query, isArchived: true),
            ] {
                let results = try await store.search(search)
                #expect(Set(results.hits.map(\.message)) == ["1", "2"] && results.extent == .all)
            }
            let byRole = try await store.search(TranscriptSearch(query, roles: [.assistant]))
            #expect(byRole.hits.map(\.message) == ["1"] && byRole.extent == .all)
            let busy = try await store.search(TranscriptSearch(query, session: "new", roles: [.user]))
            #expect(busy.hits.count == 50 && busy.extent == .newestMatches(TranscriptStore.rankedMatches))
        }
    }

    @Test func `only in a session, of a role, in archived ones`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            for name in ["a", "b"] {
                let messages = [
                    TranscriptLab.message("1", "needle"), TranscriptLab.message("2", "needle", role: .assistant),
                    TranscriptLab.message("3", "needle", role: .system),
                ]
                try await store.save(TranscriptSession(id: name), messages)
            }
            try await store.setArchived(true, "b")
            for (text, order) in [
                ("needle", TranscriptSearch.Order.rank), ("needle", .newest), ("eedl", .newest), ("ee", .newest),
            ] {
                func count(_ session: String?, _ roles: Set<ChatEntry.Role>, _ isArchived: Bool?) async throws
                    -> Int
                {
                    let search = TranscriptSearch(
                        FTSQuery(text),
                        matching: text == "needle" ? .words : .substrings,
                        order: order,
                        session: session,
                        roles: roles,
                        isArchived: isArchived
                    )
                    return try await store.search(search).hits.count
                }
                #expect(try await count(nil, [], nil) == 6)
                #expect(try await count("a", [], nil) == 3)
                #expect(try await count(nil, [.user, .assistant], nil) == 4)
                #expect(try await count(nil, [], true) == 3)
                #expect(try await count("a", [.user], false) == 1)
                #expect(try await count("a", [.user], true) == 0)
                #expect(try await count("none", [], nil) == 0)
            }
        }
    }

    @Test func `what was found is marked`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let long =
                String(repeating: "filler ", count: 100) + "the n\u{E9}\u{E9}dle\nis \u{1}here"
                + String(repeating: " end", count: 100)
            try await store.save(TranscriptSession(id: "s", title: "T"), [TranscriptLab.message("1", long)])
            let hit = try #require(try await store.search(TranscriptSearch("needle here")).hits.first)
            #expect(hit.snippet.marked == ["n\u{E9}\u{E9}dle", "here"])
            #expect(hit.snippet.text.contains("is here") && hit.snippet.text.count < 250)
            #expect(hit.sessionTitle == "T" && hit.session == "s" && hit.message == "1")
            let part = TranscriptSearch(FTSQuery("\u{C9}DL"), matching: .substrings)
            let found = try #require(try await store.search(part).hits.first)
            #expect(found.snippet.marked == ["\u{E9}dl"])
            #expect(found.snippet.text.hasPrefix("\u{2026}") && found.snippet.text.hasSuffix("\u{2026}"))
            let around = try await store.messages(of: hit.session, .before(hit.cursor))
            #expect(around.messages.isEmpty)
        }
    }

    @Test func `tools and attachments are found`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            var message = TranscriptLab.message("1", "")
            message.toolCalls = [
                ChatEntry.ToolCall(id: "c", name: "grep", input: ["pattern": "gadget"], output: "three lines")
            ]
            message.attachments = [ChatEntry.Attachment(name: "holiday.jpeg")]
            try await store.save(TranscriptSession(id: "s"), [message])
            for word in ["grep", "gadget", "three lines", "holiday"] {
                let hit = try await store.search(TranscriptSearch(word)).hits.first
                #expect(hit?.snippet.marks.isEmpty == false, "\(word)")
            }
            let part = try await store.search(TranscriptSearch(FTSQuery("adge"), matching: .substrings)).hits.first
            #expect(part?.snippet.marked == ["adge"])
        }
    }
}
