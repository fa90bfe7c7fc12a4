// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts

/// A transcript store with a million messages over 24 months, twenty to a session.
struct TranscriptCase {
    private var messages = 1_000_000
    private var path = FileManager.default.temporaryDirectory.path + "/riff-data-bench/transcripts.db"
    private var isBuilding = false

    init(_ arguments: ArraySlice<String>) {
        var arguments = arguments
        while let option = arguments.popFirst() {
            switch option {
            case "--messages": messages = arguments.popFirst().flatMap { Int($0) } ?? messages
            case "--at": path = arguments.popFirst() ?? path
            case "--build": isBuilding = true
            default: break
            }
        }
    }

    func run() async throws {
        if isBuilding { return try await build() }
        if !FileManager.default.fileExists(atPath: path) { try buildElsewhere() }
        try await measure()
    }

    /// In a process of its own: what building takes of memory would count.
    private func buildElsewhere() throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["transcripts", "--build", "--messages", "\(messages)", "--at", path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
    }

    private func build() async throws {
        let store = try await TranscriptStore.open(at: path + ".part")
        var text = SampleText()
        let start = DataBench.cpuSeconds()
        var time = 1_700_000_000.0
        let step = 730.0 * 86400 / Double(messages)
        for session in 0..<(messages / 20) {
            let said = (0..<20).map { place in
                time += step
                let number = session * 20 + place
                var message = ChatEntry(
                    id: "m\(place)",
                    role: place.isMultiple(of: 2) ? .user : .assistant,
                    text: text.message(number),
                    time: time
                )
                if place % 4 == 3 {
                    let input: String = "/src/module/\(text.word()).swift"
                    message.toolCalls = [ChatEntry.ToolCall(id: "c\(place)", name: "read_file", input: .string(input))]
                }
                return message
            }
            let header = TranscriptSession(
                id: "session-\(session)",
                source: .acp,
                title: "\(text.word()) \(text.word())",
                createdAt: time
            )
            try await store.save(header, said)
        }
        try await store.close()
        try FileManager.default.moveItem(atPath: path + ".part", toPath: path)
        let seconds = DataBench.cpuSeconds() - start
        let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        print(
            String(format: "built\t%.0f messages a CPU second\t%.0f MB", Double(messages) / seconds, Double(size) / 1e6)
                + String(
                    format: "\t%.0f MB of text\t%.0f bytes a message",
                    Double(text.bytes) / 1e6,
                    Double(size) / Double(messages)
                )
        )
    }

    private func measure() async throws {
        let store = try await TranscriptStore.open(at: path, configuration: .init(isReadOnly: true))
        try await DataBench.figure("first page of sessions (50)", goal: 30) {
            "\(try await store.sessions().elements.count)"
        }
        try await DataBench.figure("messages, newest page (50)", goal: 20) {
            "\(try await store.messages(of: "session-777").messages.count)"
        }
        func search(_ name: String, goal: Double?, _ search: TranscriptSearch) async throws {
            try await DataBench.figure(name, goal: goal) {
                let results = try await store.search(search)
                return "\(results.hits.count) hits, \(results.extent)"
            }
        }
        try await search("ranked, in 1 % of messages", goal: 50, TranscriptSearch("needle"))
        try await search("ranked, in 0.1 %", goal: 50, TranscriptSearch("needle pin"))
        try await search("ranked, in every message", goal: nil, TranscriptSearch("common"))
        try await search("newest, in 1 %", goal: 20, TranscriptSearch("needle", order: .newest))
        try await search("newest, in every message", goal: 20, TranscriptSearch("common", order: .newest))
        try await search("newest, in one message", goal: 20, TranscriptSearch("unique777", order: .newest))
        try await search("newest, in none", goal: 20, TranscriptSearch("nowhere", order: .newest))
        func substring(_ text: String) -> TranscriptSearch { TranscriptSearch(FTSQuery(text), matching: .substrings) }
        try await search("part of a word, in 1 %", goal: 20, substring("eedl"))
        try await search("part of a word, in every message", goal: 20, substring("ommo"))
        try await search("part of a word, in one message", goal: nil, substring("ique77"))
        try await search("Chinese, three characters, in 1 %", goal: 20, TranscriptSearch("\u{4E16}\u{754C}\u{4EBA}"))
        try await search("Chinese, two characters, in 1 %", goal: nil, TranscriptSearch("\u{4E16}\u{754C}"))
        try await search("two letters, in none", goal: nil, substring("zz"))
        print(String(format: "memory at the peak\t%.1f MiB", DataBench.peakMegabytes()))
        try await store.close()
    }
}

/// Messages of words whose frequencies fall as in languages, the same each time.
private struct SampleText {
    private var state: UInt64 = 7
    private let words: [String]
    private(set) var bytes = 0

    init() {
        let syllables = [
            "ka", "lo", "mi", "ren", "tas", "vor", "pel", "dun", "si", "gra", "ber", "tol", "nex", "qui", "fa",
        ]
        var state: UInt64 = 99
        words = (0..<20_000).map { _ in
            (0..<(1 + Int(Self.next(&state) % 4))).map { _ in syllables[Int(Self.next(&state) % 15)] }.joined()
        }
    }

    private static func next(_ state: inout UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func word() -> String {
        // The logarithm of the rank is even: Zipf's law.
        let share = Double(Self.next(&state) % 1_000_000) / 1_000_000
        return words[min(words.count - 1, Int(exp(share * log(Double(words.count)))) - 1)]
    }

    mutating func message(_ number: Int) -> String {
        let count = [8, 15, 25, 40, 60, 120][Int(Self.next(&state) % 6)]
        var said = (0..<count).map { _ in word() }
        said[0] = "common"
        if number % 100 == 0 { said[3] = "needle" }
        if number % 1000 == 0 { said[4] = "pin" }
        if number % 100 == 50 { said[2] = "\u{4F60}\u{597D}\u{4E16}\u{754C}\u{4EBA}" }
        if number % 1000 == 777 { said[1] = "unique\(number / 1000)" }
        let text = said.joined(separator: " ")
        bytes += text.utf8.count
        return text
    }
}
