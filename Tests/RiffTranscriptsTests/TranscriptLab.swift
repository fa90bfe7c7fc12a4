// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts
import Testing

/// Stores in folders of their own, which are removed behind each test.
enum TranscriptLab {
    /// 2026-11-23 12:00:00 UTC.
    static let noon = 1_795_435_200.0

    static func withFolder<Value>(_ body: (_ folder: String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.path + "/riff-transcripts-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    static func withStore<Value>(_ body: (TranscriptStore) async throws -> Value) async throws -> Value {
        try await withFolder { (folder) async throws in
            let store = try await open(folder + "/transcripts.db")
            let value = try await body(store)
            try await store.close()
            return value
        }
    }

    static func open(_ path: String, isReadOnly: Bool = false) async throws -> TranscriptStore {
        let configuration = TranscriptStore.Configuration(isReadOnly: isReadOnly, now: { noon })
        return try await TranscriptStore.open(at: path, configuration: configuration)
    }

    static func message(
        _ id: String,
        _ text: String,
        role: ChatEntry.Role = .user,
        at time: Double? = noon
    ) -> ChatEntry {
        ChatEntry(id: id, role: role, text: text, time: time)
    }

    /// The code of the error that something throws; `nil` where it throws none of ours.
    static func code(_ body: () async throws -> Void) async -> DataError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DataError)?.code
        }
    }
}

extension TranscriptStore {
    /// The texts of what is found, in its order.
    func texts(_ search: TranscriptSearch) async throws -> [String] {
        var texts: [String] = []
        for hit in try await self.search(search).hits {
            texts.append(try await message(hit.message, of: hit.session)?.text ?? "")
        }
        return texts
    }
}

extension TranscriptHit.Snippet {
    var marked: [String] { marks.map { String(text[$0]) } }
}
