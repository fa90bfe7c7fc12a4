// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// The recorded conversations under Fixtures/transcripts.
enum TranscriptLines {
    static let names = [
        "hermes-basic", "hermes-full", "hermes-scarf-shaped-client", "hermes-spec-shaped-client", "hermes-tools",
        "sdk-echo-agent", "sdk-example-agent", "vibe-basic",
    ]

    struct Line: Sendable {
        let number: Int
        /// `c2a`, `a2c` and others.
        let direction: String
        let message: JSONValue
    }

    static func read(_ name: String) throws -> [Line] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/transcripts/\(name).jsonl")
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        return try lines.enumerated().map { number, line in
            let json = try JSONValue(parsing: Array(line))
            return Line(number: number + 1, direction: json["dir"]?.text ?? "", message: json["msg"] ?? .null)
        }
    }
}
