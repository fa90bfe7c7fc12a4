// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffCore
import RiffScreen

extension Conformance {
    /// What a terminal shows after some bytes.
    struct ScreenRows: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen",
            abstract: "Reads what a program writes to a terminal, and prints the rows that are then visible."
        )

        @Option(help: "The cells of a row.") var columns = 80
        @Option(help: "The rows.") var rows = 24

        func run() throws {
            var screen = Screen(size: TerminalSize(columns: columns, rows: rows))
            while let bytes = try FileHandle.standardInput.read(upToCount: 1 << 16), !bytes.isEmpty {
                screen.feed(bytes)
            }
            try FileHandle.standardOutput.write(contentsOf: Data((screen.visibleText + "\n").utf8))
        }
    }
}
