// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ChatThread {
    /// A conversation with what of it is new to a reader.
    public struct Update: Sendable, Hashable {
        /// The conversation as it is.
        public let thread: ChatThread
        /// The text that each entry gained, oldest entry first; an entry that is new, with all that it says.
        public let texts: [TextGrowth]
        /// The same of each entry's refusal, for entries that have one; one that was taken back starts over empty.
        public let refusals: [TextGrowth]

        /// Creates an update from its parts, for previews and tests.
        public init(thread: ChatThread, texts: [TextGrowth], refusals: [TextGrowth] = []) {
            self.thread = thread
            self.texts = texts
            self.refusals = refusals
        }
    }
}
