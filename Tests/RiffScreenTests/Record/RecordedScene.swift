// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import TestSupport
import Testing

/// The terminal of a recorded agent: its bytes as they came.
struct RecordedScene {
    let size: TerminalSize
    let chunks: [(time: Double, bytes: [UInt8])]

    static let names = [
        "claude-kill9", "claude-nohooks", "claude-osc-noalt", "claude-slow", "claude-subagent", "claude-trust",
        "codex-daemon-death", "codex-hooks-review", "codex-perm-two", "codex-plan", "codex-slow",
    ]

    init(_ name: String) throws {
        let json = try JSONValue(parsing: try Fixture.bytes("scenes/\(name)/scene.json", of: "RiffAgentsTests"))
        size = TerminalSize(
            columns: Int(try #require(json["columns"]?.integer)),
            rows: Int(try #require(json["rows"]?.integer))
        )
        let bytes = try Fixture.bytes("scenes/\(name)/pane.bin", of: "RiffAgentsTests")
        let places = try Fixture.lines("scenes/\(name)/pane.times", of: "RiffAgentsTests").map { line in
            let parts = line.split(separator: " ")
            return (time: try #require(Double(parts[0])), place: min(try #require(Int(parts[1])), bytes.count))
        }
        chunks = places.indices.compactMap { index in
            let end = index + 1 < places.count ? places[index + 1].place : bytes.count
            let (time, place) = places[index]
            return place < end ? (time, Array(bytes[place..<end])) : nil
        }
    }

    /// Shows the screen each time that the program rested.
    func replay(_ rested: (Screen, Double) throws -> Void) rethrows {
        var screen = Screen(size: size)
        for (index, chunk) in chunks.enumerated() {
            screen.feed(chunk.bytes)
            let next = index + 1 < chunks.count ? chunks[index + 1].time : .infinity
            if next - chunk.time >= 0.05 { try rested(screen, chunk.time) }
        }
    }
}

extension ScreenPicture {
    /// What a person sees: cells without the difference between blank and space, and without what says where rows wrap.
    var seen: [[ScreenCell]] {
        rows.map { row in
            row.cells.map { cell in
                var cell = cell
                if cell.text.isEmpty, cell.width == 1 { cell.text = " " }
                if let link = cell.link { cell.link = ScreenLink(uri: link.uri, id: nil) }
                return cell
            }
        }
    }

    /// All its characters in a row, without space and the sides of boxes.
    var compact: String {
        rows.flatMap { $0.cells.map(\.text) }.joined().filter { !" │|".contains($0) }
    }
}
