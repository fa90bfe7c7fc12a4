// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

extension ACPChat {
    /// A conversation with what of it is new to a reader.
    public struct Update: Sendable, Hashable {
        /// The conversation as it is.
        public let chat: ACPChat
        /// The text that each message of the transcript gained, oldest entry first; a message that is new, with all
        /// that it says. Tool calls are in the transcript alone.
        public let texts: [TextGrowth]

        /// Creates an update from its parts, for previews and tests.
        package init(chat: ACPChat, texts: [TextGrowth]) {
            self.chat = chat
            self.texts = texts
        }
    }
}

/// The marks of how far a reader has read a transcript.
package struct ACPTranscriptMarks: Sendable {
    fileprivate var texts = TextGrowthMarks()
    /// The place of the last entry that was read.
    fileprivate var entry = 0

    /// The marks of a reader that has read nothing.
    package init() {}
}

extension ACPTranscript {
    /// Returns the texts that its messages gained since the reader of these marks looked last.
    package func growth(since marks: inout ACPTranscriptMarks) -> [TextGrowth] {
        // Only the last message grows: what stands before the last one that was read is as it was. To look at all for
        // each piece would be work in the square of their number.
        let first = min(marks.entry, entries.count)
        defer { marks.entry = max(0, entries.count - 1) }
        return entries[first...].compactMap { entry in
            guard entry.call == nil else { return nil }
            return marks.texts.growth(of: entry.id, bytes: entry.message.textBytes) { entry.message.text(from: $0) }
        }
    }
}

extension ACPConversation {
    /// The conversation as ``updates()`` tells it, with what of it is new to this reader: first all of it, then each
    /// piece exactly once and in order. Pieces that come while a reader is busy come as one. Ends with the reading
    /// task.
    public nonisolated func changes() -> AsyncStream<ACPChat.Update> {
        let place = Mutex(Place())
        return AsyncStream { await self.change(after: place) }
    }

    private struct Place {
        var seen: UInt64?
        var marks = ACPTranscriptMarks()
    }

    private nonisolated func change(after place: borrowing Mutex<Place>) async -> ACPChat.Update? {
        do {
            _ = try await signal.wait(after: place.withLock(\.seen))
            // The chat may be newer than the change that was waited for.
            let (chat, change) = await numbered
            return place.withLock { place in
                place.seen = change
                return ACPChat.Update(chat: chat, texts: chat.transcript.growth(since: &place.marks))
            }
        } catch {
            // Cancellation is the only error of the wait.
            return nil
        }
    }
}
