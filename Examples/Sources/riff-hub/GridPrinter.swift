// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffHub
import Synchronization

/// Writes what changes, in the order in which it does, whoever says so.
final class GridPrinter: Sendable {
    private let lines = Mutex(GridLines())

    /// Writes what is new.
    ///
    /// - Parameter snapshot: Tells how the hub stands, once nobody else writes.
    func show(_ snapshot: () -> HubSnapshot) {
        lines.withLock { lines in for line in lines.take(snapshot()) { Self.write(line) } }
    }

    static func write(_ line: String) {
        // Its tabs are the program's own.
        Printing.write(HarmlessText(line) + "\n")
    }
}
