// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting

/// Secrets in the output of programs, in many ways.
struct PlantedSecrets {
    /// How a secret is shown.
    enum Way: CaseIterable {
        case plain, split, colored, wrapped, boxed, fullScreen
    }

    /// What is shown, in pieces, and what must not be found of it.
    struct Case {
        let kind: String
        let way: Way
        let pieces: [String]
        let secret: String
        /// Whether a redactor is told of it.
        let isKnown: Bool
    }

    static let columns = 40
    private(set) var cases: [Case] = []

    init(count: Int) {
        var generator = SeededGenerator(seed: 31)
        let kinds = Self.kinds
        for number in 0..<count {
            let way = Way.allCases[number % Way.allCases.count]
            let (kind, before, secret, after, isKnown) = kinds[number / Way.allCases.count % kinds.count](&generator)
            let line = before + secret + after
            cases.append(
                Case(
                    kind: kind,
                    way: way,
                    pieces: Self.pieces(line, way, &generator),
                    secret: secret.filter { !"\r\n ".contains($0) },
                    isKnown: isKnown
                )
            )
        }
    }

    private typealias Maker = @Sendable (inout SeededGenerator) -> (String, String, String, String, Bool)

    private static func random(_ count: Int, _ letters: String = letters, _ generator: inout SeededGenerator) -> String
    {
        let letters = Array(letters)
        return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    private static let kinds: [Maker] = [
        { ("anthropic", "key ", "sk-ant-api03-" + random(60, letters, &$0), " used", false) },
        { ("github", "remote: ", "ghp_" + random(36, letters, &$0), " ok", false) },
        { ("aws", "id ", "AKIA" + random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", &$0), "", false) },
        { ("assignment", "export DB_PASSWORD=", random(22, letters, &$0), "", false) },
        { ("address", "postgres://app:", random(20, letters, &$0), "@db.example/app", false) },
        { ("bearer", "Authorization: Bearer ", random(40, letters + "-_", &$0), "", false) },
        { ("json", "  \"api_key\": \"", random(26, letters, &$0), "\",", false) },
        { ("option", "deploy --token ", random(30, letters, &$0), " --yes", false) },
        {
            let rows = [random(32, letters, &$0), random(32, letters, &$0), random(32, letters, &$0)]
            let body = rows.joined(separator: "\r\n")
            return ("pem", "-----BEGIN PRIVATE KEY-----\r\n", body, "\r\n-----END PRIVATE KEY-----", false)
        },
        { ("jwt", "t=", "eyJ" + random(30, letters, &$0) + "." + random(40, letters, &$0), "", false) },
        { ("known", "it says ", random(14, letters.lowercased(), &$0), " there", true) },
        { ("random", "", random(44, letters, &$0), "", false) },
    ]

    private static func pieces(_ line: String, _ way: Way, _ generator: inout SeededGenerator) -> [String] {
        switch way {
        case .plain: return [line + "\r\n"]
        case .split:
            var pieces: [String] = []
            var rest = Substring(line)
            while !rest.isEmpty {
                let count = Int.random(in: 1...6, using: &generator)
                pieces.append(String(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            return pieces + ["\r\n"]
        case .colored:
            return [
                line.enumerated().map { index, character in
                    "\r\n".contains(character) ? String(character) : "\u{1B}[3\(index % 7 + 1)m\(character)"
                }.joined() + "\u{1B}[0m\r\n"
            ]
        case .wrapped:
            return [String(repeating: "x", count: Int.random(in: 10...35, using: &generator)) + " " + line + "\r\n"]
        case .boxed:
            let width = columns - 4
            var rows: [String] = []
            for part in line.split(separator: "\r\n", omittingEmptySubsequences: false) {
                var rest = part
                repeat {
                    rows.append(String(rest.prefix(width)))
                    rest = rest.dropFirst(width)
                } while !rest.isEmpty
            }
            return rows.map { "│ \($0)\(String(repeating: " ", count: width - $0.count)) │" + "\r\n" }
        case .fullScreen: return ["\u{1B}[?1049h\u{1B}[2;1H" + line, "\u{1B}[?1049l"]
        }
    }
}
