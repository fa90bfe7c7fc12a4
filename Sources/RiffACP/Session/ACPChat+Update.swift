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

extension ACPTranscript {
    /// What its messages gained since the reader of these marks looked last.
    package func growth(since marks: inout TextGrowthMarks) -> [TextGrowth] {
        entries.compactMap { entry in
            guard entry.call == nil else { return nil }
            return marks.growth(of: entry.id, bytes: entry.message.textBytes) { entry.message.text(from: $0) }
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
        var marks = TextGrowthMarks()
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
