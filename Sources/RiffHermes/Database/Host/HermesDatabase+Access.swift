// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesDatabase {
    /// The program that reads a database on a host.
    public enum Access: String, Sendable, Hashable {
        /// The database is read in its place: by the host's `sqlite3` program, or by its Python.
        case any
        /// The database is read in its place, by the host's `sqlite3` program.
        case sqlite3
        /// The database is read in its place, by the host's Python.
        case python3
    }
}
