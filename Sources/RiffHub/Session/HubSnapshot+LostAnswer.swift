// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HubSnapshot {
    /// An answer whose words never came, kept until a person sends it again or discards it.
    public struct LostAnswer: Sendable, Hashable, Identifiable {
        /// The sound file or the text of an answer.
        public enum Content: Sendable, Hashable {
            /// A sound file.
            case clip([UInt8])
            /// An answer of text.
            case text(String)

            var bytes: Int {
                switch self {
                case .clip(let bytes): bytes.count
                case .text(let text): text.utf8.count
                }
            }
        }

        /// Its number, to be given to ``HubClient/sendAgain(_:)`` and ``HubClient/discard(_:)``.
        public let id: Int
        /// The session that it was for; it may have ended since.
        public let session: HubSession.ID
        /// The session's voice, whose next session it can be sent to; the session's id if no voice was known.
        public let voice: HubVoice.ID
        /// The sound file or the text.
        public let content: Content
        /// Why it is here.
        public let failure: Problem

        /// Creates a lost answer from its parts, for previews and tests.
        package init(id: Int, session: HubSession.ID, voice: HubVoice.ID, content: Content, failure: Problem) {
            self.id = id
            self.session = session
            self.voice = voice
            self.content = content
            self.failure = failure
        }
    }
}

/// The answers that are lost and were not discarded, oldest first: a bounded value.
struct HubLostAnswers: Sendable {
    /// The most that are kept.
    static let limitCount = 16

    private(set) var all: [HubSnapshot.LostAnswer] = []
    /// The number that was let go, since newer ones took their place.
    private(set) var forgotten = 0

    /// Keeps an answer; the oldest ones make room for it.
    ///
    /// - Returns: Whether one had to.
    mutating func add(_ answer: HubSnapshot.LostAnswer) -> Bool {
        all.append(answer)
        let before = forgotten
        var bytes = all.reduce(0) { $0 + $1.content.bytes }
        while all.count > Self.limitCount || bytes > HubAnswers.limitBytes, all.count > 1 {
            bytes -= all.removeFirst().content.bytes
            forgotten += 1
        }
        return forgotten > before
    }

    mutating func remove(_ id: Int) { all.removeAll { $0.id == id } }
}
