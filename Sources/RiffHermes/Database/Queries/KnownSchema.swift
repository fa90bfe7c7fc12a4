// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The columns of an open database, read again when they may be others.
final class KnownSchema: Sendable {
    private struct State {
        var schema: HermesSchema
        var fingerprint: HermesFingerprint?
        /// Whether the database was changed, or replaced, since the columns were read.
        var isChanged = false
        var isReplaced = false
    }

    private let state: Mutex<State>

    init(_ schema: HermesSchema) { state = Mutex(State(schema: schema)) }

    var current: HermesSchema { state.withLock { $0.schema } }

    func see(_ fingerprint: HermesFingerprint) {
        state.withLock { state in
            defer { state.fingerprint = fingerprint }
            guard state.fingerprint != fingerprint else { return }
            state.isChanged = true
            guard let last = state.fingerprint else { return }
            if last.database?.inode != fingerprint.database?.inode { state.isReplaced = true }
        }
    }

    /// The columns as they are: SQLite counts the changes of a database's tables.
    func fresh(_ source: any HermesRowSource) async throws -> HermesSchema {
        let (schema, isChanged, isReplaced) = state.withLock { ($0.schema, $0.isChanged, $0.isReplaced) }
        guard isChanged else { return schema }
        if !isReplaced, let count = schema.changeCount, try await HermesSchema.changeCount(of: source) == count {
            state.withLock { $0.isChanged = false }
            return schema
        }
        return try await read(source)
    }

    func read(_ source: any HermesRowSource) async throws -> HermesSchema {
        let schema = try await HermesSchema(of: source)
        state.withLock { state in
            state.schema = schema
            (state.isChanged, state.isReplaced) = (false, false)
        }
        return schema
    }
}
