// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffVoice

extension Conformance {
    /// Whether a speaker who paused was done.
    struct Endpoint: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads utterances, one JSON object a line ({id, text}), and writes {id, complete} for each."
        )

        private struct Case: Decodable {
            var id: String
            var text: String
        }

        private struct Answer: Encodable {
            var id: String
            /// As if the speaker had just paused; false also where nothing was said.
            var complete: Bool
        }

        func run() throws {
            let completeness = UtteranceCompleteness()
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            while let line = readLine() {
                guard !line.isEmpty else { continue }
                let test = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
                let answer = Answer(id: test.id, complete: completeness.verdict(on: test.text) == .complete)
                // Written at once, not buffered: who asks may wait for each answer.
                try FileHandle.standardOutput.write(contentsOf: encoder.encode(answer) + Data("\n".utf8))
            }
        }
    }
}
