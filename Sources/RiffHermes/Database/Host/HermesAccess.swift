// Riff
// SPDX-License-Identifier: Apache-2.0

/// How a database on a host is read.
public struct HermesAccess: RawRepresentable, Sendable, Hashable {
    /// The name itself.
    public let rawValue: String

    /// Any name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Where it lies: by the host's `sqlite3` program, or by its Python.
    public static let any = HermesAccess(rawValue: "any")
    /// Where it lies, by the host's `sqlite3` program.
    public static let sqlite3 = HermesAccess(rawValue: "sqlite3")
    /// Where it lies, by the host's Python.
    public static let python3 = HermesAccess(rawValue: "python3")
}
