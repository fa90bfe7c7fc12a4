// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
package import RiffScreen
import RiffTranscripts

/// What the sessions showed, kept in a file that the person named: to be looked at before anything is connected, and to
/// tell what happened while they were away.
@MainActor
final class TermRecord {
    private let store: ScreenRecordStore
    private let consent: RecordConsent
    private var recorders: [String: ScreenRecorder] = [:]
    private var changed: Set<String> = []
    /// Since when a session has not been looked at.
    private var leftAt: [String: Double] = [:]

    init(path: String) async throws {
        store = try await ScreenRecordStore.open(at: path)
        // The option is the person's own, and its help says what is kept.
        consent = RecordConsent(agreedAt: Self.now)
    }

    static var now: Double { Date().timeIntervalSince1970 }

    /// A session drew something.
    func drew(_ name: String) { changed.insert(name) }

    /// The person looks at another session now.
    func left(_ name: String) { leftAt[name] = Self.now }

    /// The screen that a session showed last, as text for a screen of any size; `nil` if none was kept.
    func lastScreen(of name: String) async throws -> String? {
        guard let last = try await store.lastScreen(of: name) else { return nil }
        if leftAt[name] == nil { leftAt[name] = last.time }
        return last.ansi.replacingOccurrences(of: "\n", with: "\r\n")
    }

    /// Keeps what changed since the last call.
    func save(_ screen: (String) -> Screen?) async throws {
        for name in changed {
            guard let screen = screen(name) else { continue }
            let now = Self.now
            var recorder = recorders[name] ?? ScreenRecorder()
            let entries = recorder.record(screen, at: now)
            recorders[name] = recorder
            try await store.append(entries, to: name, consent: consent)
            try await store.saveScreen(of: recorder, session: name, at: now)
        }
        changed = []
    }

    /// What happened in a session since it was last looked at, on one line.
    func away(_ name: String) async throws -> String {
        let now = Self.now
        let digest = try await store.digest(of: name, during: (leftAt[name] ?? now)...now)
        return AwayWords.text(digest)
    }

    func close() async throws { try await store.close() }
}

/// The words of a digest.
package enum AwayWords {
    /// The digest on one line; parts of which there is nothing to tell are left out.
    package static func text(_ digest: AbsenceDigest) -> String {
        var parts = ["\(digest.minutes) min", "\(digest.lineCount) lines"]
        if digest.doneCount > 0 { parts.append("turns done: \(digest.doneCount)") }
        parts += digest.failures.map { "failed: \($0)" }
        parts += digest.questions.map { question in
            switch question.answer {
            case nil: "asks: \(question.text)"
            case "": "asked: \(question.text)"
            case let answer?: "asked: \(question.text) (\(answer))"
            }
        }
        parts += digest.gaps.map { "missing: \($0)" }
        return "while you were away: " + parts.joined(separator: ", ")
    }
}
