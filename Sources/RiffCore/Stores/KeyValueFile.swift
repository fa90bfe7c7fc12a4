// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Settings in one file: a JSON object of texts, sorted by name.
///
/// The file is read at every question and replaced in one step at every change, under a lock beside it, so that
/// processes may share it. A new file has mode 0600, one that was there keeps its mode; one that everybody may write is
/// refused. A damaged file is an error and is left as it is.
public actor KeyValueFile: KeyValueStore {
    /// The path of the file.
    public nonisolated let path: String

    private nonisolated let executor = BlockingExecutor(label: "riff.settings")
    /// A queue of its own, because files and locks block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Settings in a file, which is made, with its folder, when the first one is kept.
    public init(path: String) { self.path = path }

    /// The text under a name, or `nil` where there is none.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    public func value(for name: String) async throws -> String? { try load()[name] }

    /// All names that have a text.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    public func names() async throws -> Set<String> { Set(try load().keys) }

    /// Keeps a text under a name, or nothing with `nil`.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`; `CancellationError` when
    ///   cancelled before the lock was taken.
    public func set(_ value: String?, for name: String) async throws {
        try LockedFile(path: path).change { bytes in
            var values = try decode(bytes)
            // By bytes: spellings that Swift takes for equal are different paths on a host.
            guard values[name].map({ Array($0.utf8) }) != value.map({ Array($0.utf8) }) else { return }
            values[name] = value
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            bytes = Array(try encoder.encode(values)) + [UInt8(ascii: "\n")]
        }
    }

    private func load() throws -> [String: String] { try decode(LockedFile(path: path).read()) }

    private func decode(_ bytes: [UInt8]) throws -> [String: String] {
        guard !bytes.isEmpty else { return [:] }
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(bytes))
        } catch {
            let message = "\(path) is not a JSON object of texts. Repair it, or remove it to begin anew."
            throw CoreError(.storeFailed, message, cause: error)
        }
    }
}
