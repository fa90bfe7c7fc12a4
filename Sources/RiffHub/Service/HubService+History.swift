// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension HubService {
    /// A part of a voice's history, oldest first.
    public struct HistoryPage: Sendable, Hashable {
        /// The messages, oldest first.
        public var messages: [HubChatMessage]
        /// Whether there are older ones to ask for.
        public var hasMore: Bool

        /// Creates a page.
        package init(_ messages: [HubChatMessage], hasMore: Bool = false) {
            (self.messages, self.hasMore) = (messages, hasMore)
        }
    }
}

extension HubService {
    /// Returns the history of a voice: `GET /api/history/{voice}`, at most the last 200 messages; the newest hubs give
    /// it in pages of 150.
    ///
    /// - Parameters:
    ///   - voice: The voice's id; one that the hub does not know has said nothing.
    ///   - message: A message of a page before which to go on (`historyPages` only): by its id, or its time where it
    ///     has none.
    /// - Returns: The page.
    /// - Throws: ``HubError``; `CancellationError`.
    public func history(of voice: HubVoice.ID, before message: HubChatMessage? = nil) async throws
        -> HubService.HistoryPage
    {
        var path = "/api/history/\(Self.escaped(voice.rawValue))"
        if let id = message?.id {
            path += "?before=\(Self.escaped(id.rawValue))&limit=150"
        } else if let time = message?.time {
            path += "?before_ts=\(time)&limit=150"
        }
        let answer = try await success(.get, path, what: "the history", upTo: 64 << 20)
        let json = try json(of: answer, "the history")
        guard let list = json["messages"]?.array else { throw HubError.malformed("the history") }
        return HubService.HistoryPage(
            list.compactMap(HubChatMessage.init(json:)),
            hasMore: json["has_more"]?.bool ?? false
        )
    }

    /// Forgets what was said with a voice, also the agent's own memory of it. The hub tells no other client.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func clearHistory(of voice: HubVoice.ID) async throws {
        _ = try await success(.delete, "/api/history/\(Self.escaped(voice.rawValue))", what: "to clear a history")
    }
}
