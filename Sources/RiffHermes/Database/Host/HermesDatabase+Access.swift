// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesDatabase {
    /// The program that reads a database on a host.
    public enum Access: String, Sendable, Hashable {
        /// Where it lies: by the host's `sqlite3` program, or by its Python.
        case any
        /// Where it lies, by the host's `sqlite3` program.
        case sqlite3
        /// Where it lies, by the host's Python.
        case python3
    }
}
