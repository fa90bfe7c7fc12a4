// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffCore
import RiffScreen

extension Conformance {
    /// What a tap on a text opens.
    struct Links: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reads cases, one JSON object a line ({id, input, width, row, col}), and writes {id, url} for each."
        )

        private struct Case: Decodable {
            var id: String
            var input: String
            var width: Int
            var row: Int
            var col: Int
        }

        private struct Answer: Encodable {
            var id: String
            var url: String?

            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(id, forKey: .id)
                try values.encode(url, forKey: .url)
            }

            enum CodingKeys: CodingKey { case id, url }
        }

        func run() throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            while let line = readLine() {
                guard !line.isEmpty else { continue }
                let test = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
                let answer = Answer(id: test.id, url: Self.url(test))
                try FileHandle.standardOutput.write(contentsOf: encoder.encode(answer) + Data("\n".utf8))
            }
        }

        /// Rows are counted from the first that was written, also where they have left the screen.
        private static func url(_ test: Case) -> String? {
            var limits = Screen.Limits()
            limits.scrollbackBytes = 1 << 30
            var screen = Screen(size: TerminalSize(columns: test.width, rows: 24), limits: limits)
            screen.feed(test.input.replacing("\n", with: "\r\n"))
            return screen.link(at: ScreenPosition(line: test.row, column: test.col))?.url
        }
    }
}
