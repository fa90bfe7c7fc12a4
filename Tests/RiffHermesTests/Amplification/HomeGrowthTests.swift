// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import TestSupport
import Testing

extension HomesInTurn {
    /// What a host's files cost to read: four times as much for four times as many bytes.
    @Suite(.timeLimit(.minutes(5)))
    struct HomeGrowthTests {
        private static let linear = 10.0

        private static func value(_ yaml: String) async throws -> JSONValue {
            try await HermesConfig(yaml: yaml, revision: .absent).value
        }

        /// Maps of one key each, all merged into one.
        private static func merges(_ count: Int) -> String {
            let names = (0..<count).map { "n\($0): &n\($0) {k\($0): 1}\n" }.joined()
            return names + "all:\n  <<: [" + (0..<count).map { "*n\($0)" }.joined(separator: ", ") + "]\n"
        }

        @Test func `YAML's merges are linear`() async throws {
            let all = try await Self.value(Self.merges(300))["all"]?.object
            #expect(all?.count == 300)
            let one = "base: &b {" + (0..<3000).map { "k\($0): 1" }.joined(separator: ", ") + "}\nall: {<<: *b}\n"
            #expect(try await Self.value(one)["all"]?.object?.count == 3000)
            let factor = try await Growth.factor(from: 2000, enough: Self.linear) { (size) async throws in
                let text =
                    "base: &b {" + (0..<size).map { "k\($0): 1" }.joined(separator: ", ") + "}\n"
                    + "all: {<<: *b, " + (0..<size).map { "m\($0): 1" }.joined(separator: ", ") + "}\n"
                #expect(try await Self.value(text)["all"]?.object?.count == 2 * size)
            }
            #expect(factor < Self.linear)
        }

        @Test func `YAML of keys, lists and levels is linear`() async throws {
            let shapes: [(Int) -> String] = [
                { size in (0..<size).map { "key \($0): value\n" }.joined() },
                { size in "list: [" + (0..<size).map { "\($0)" }.joined(separator: ", ") + "]\n" },
                { size in "text: |\n" + String(repeating: "  line\n", count: size) },
            ]
            for shape in shapes {
                let factor = try await Growth.factor(from: 3000, enough: Self.linear) { (size) async throws in
                    #expect(try await Self.value(shape(size)) != .null)
                }
                #expect(factor < Self.linear)
            }
        }

        /// Ten times as many parts with each line.
        private static let expanding =
            "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + zip("abcdefghij", "bcdefghijk").map { before, name in
                "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 10).joined(separator: ", ") + "]\n"
            }.joined()

        @Test(arguments: [
            expanding + "? *k\n: 1\n", expanding + "*k : 1\n", expanding + "x: {*k : 1}\n",
            expanding + "? [*k]\n: 1\n", expanding + "x: {?[*k] : 1}\n", expanding + "[*k, 1]: 2\n",
            expanding + "x: {{a: *k}: 1}\n", "? a\n: 1\n" + expanding + "- ?\t*k\n",
        ])
        func `a key that would be billions of parts is refused before it is read`(text: String) async {
            let error = await #expect(throws: DataError.self) { try await Self.value(text) }
            #expect(error?.code == .fileTooLarge)
        }

        @Test func `keys within keys are refused where there are too many`() async {
            let text = String(repeating: "? ", count: 900) + "x\n" + String(repeating: "# remark\n", count: 50_000)
            let error = await #expect(throws: DataError.self) { try await Self.value(text) }
            #expect(error?.code == .fileTooLarge)
        }

        @Test func `anchors beside questions in texts, and keys that are lists, are read`() async throws {
            let value = try await Self.value("base: &b {a: 1}\ncopy: *b\ntext: is it?yes, it is\n")
            #expect(value["copy"] == ["a": 1] && value["text"] == "is it?yes, it is")
            #expect(try await Self.value("? [1, 2]\n: x\n[3]: y\nz: 1\n") == ["z": 1])
        }

        @Test func `keys that stand twice cost no more than the text is read a few times`() async {
            // Each of them has the text read once more, so that a large one gives up soon.
            let text = String(repeating: "a: 1\n", count: 90) + String(repeating: "# remark\n", count: 300_000)
            let error = await #expect(throws: DataError.self) { try await Self.value(text) }
            #expect(error?.code == .fileTooLarge)
        }

        @Test func `a document's changes are linear, names that stand a thousand times too`() async throws {
            let factor = try await Growth.factor(from: 4000, enough: Self.linear) { (size) async throws in
                let members = (0..<size).map { "\"m\($0)\": 1, \"same\": \($0)" }.joined(separator: ", ")
                var document = try JSONDocument(parsing: Array("{\(members)}".utf8))
                try document.set(["new"], to: 1)
                try document.remove(["same"])
                #expect(document[["same"]] == nil && document.value.object?.count == size + 1)
            }
            #expect(factor < Self.linear)
        }

        @Test func `log lines are linear, with and without times and ends`() async {
            let shapes = [
                "2026-11-21 03:19:07,420 INFO a.b: message\n", "no time\n", "x", "\r\n", "\n",
                "2026-11-21 03:19:07,420 INFO [\n", "\u{E9}",
            ]
            for shape in shapes {
                let factor = await Growth.factor(from: 20_000, enough: Self.linear) { size in
                    var assembler = LogAssembler()
                    let bytes = Array(String(repeating: shape, count: size).utf8)
                    let entries = assembler.push(bytes) + assembler.finish()
                    let output = entries.reduce(0) { $0 + $1.message.utf8.count }
                    #expect(output <= bytes.count)
                }
                #expect(factor < Self.linear)
            }
        }

        @Test func `a skill's front of lines is linear, and says what it says`() async {
            let factor = await Growth.factor(from: 4000, enough: Self.linear) { size in
                let lines = (0..<size).map { "k\($0): a: b\n" }.joined()
                let text = await FrontMatterText("---\n\(lines)---\nbody", name: "SKILL.md")
                #expect(text.matter.object?.count == size && text.body == "body")
            }
            #expect(factor < Self.linear)
        }

        @Test func `a table of jobs is linear`() async throws {
            let factor = try await Growth.factor(from: 1000, enough: Self.linear) { (size) async throws in
                let jobs = (0..<size).map { "{\"id\": \"j\($0)\", \"name\": \"n\", \"prompt\": \"p\"}" }
                let text = "{\"jobs\": [\(jobs.joined(separator: ", "))]}"
                let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])
                #expect(try await HermesHome("/h", on: host).cron.read().jobs.count == size)
            }
            #expect(factor < Self.linear)
        }
    }
}
