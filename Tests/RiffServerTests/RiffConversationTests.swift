// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// Client, server and what the device keeps, together.
@Suite(.timeLimit(.minutes(5))) struct RiffConversationTests {
    private struct Lab {
        let chat: RiffConversation
        let store: MessageStore
        let client: RiffClient

        var texts: [String] {
            get async throws { try await store.thread(of: .default).entries.map(\.text) }
        }

        var states: [MessageThread.Entry.State] {
            get async throws { try await store.thread(of: .default).entries.map(\.state) }
        }
    }

    /// Loses what it is told to.
    private final class LossyTransport: HTTPTransport {
        enum Loss { case request, answer, everything }

        let inner: any HTTPTransport
        private let losses: Mutex<[Loss?]>

        init(_ inner: any HTTPTransport, _ losses: [Loss?]) {
            self.inner = inner
            self.losses = Mutex(losses)
        }

        func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
            guard request.path == RiffContract.messagePath else {
                return try await inner.send(request, body: body, deadlines: deadlines)
            }
            switch losses.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            case .request: throw TransportError(.connectionLost, "lost on the way")
            case .answer:
                _ = try await inner.send(request, body: body, deadlines: deadlines)
                throw TransportError(.connectionLost, "the answer was lost")
            case .everything: throw TransportError(.httpNeverConnected, "no network")
            case nil: return try await inner.send(request, body: body, deadlines: deadlines)
            }
        }
    }

    private static func with(_ losses: [LossyTransport.Loss?], _ body: (Lab) async throws -> Void) async throws {
        try await ConversationServerTests.Lab.with { server in
            let http = LossyTransport(BridgedTransport(server: server.server), losses)
            let client = RiffClient(
                server: try HTTPBaseURL("http://127.0.0.1:1"),
                secret: try RiffFixtures.secret(),
                http: http
            )
            let store = MessageStore(directory: "\(server.folder)/device")
            try await body(Lab(chat: RiffConversation(client, store: store), store: store, client: client))
        }
    }

    private static func local(_ lab: Lab) async throws -> RiffIdentifier {
        let entries = try await lab.store.thread(of: .default).entries
        return try #require(
            entries.compactMap { entry -> RiffIdentifier? in
                guard case .local(let id) = entry.id else { return nil }
                return id
            }.first
        )
    }

    @Test func `what is said and its answer are shown, and are kept`() async throws {
        try await Self.with([]) { (lab) async throws in
            #expect(try await lab.chat.send("hello").text == "You said: hello")
            #expect(try await lab.texts == ["hello", "You said: hello"])
            #expect(try await lab.states == [.sent, .sent])
            try await lab.chat.resync()
            #expect(try await lab.texts == ["hello", "You said: hello"])
        }
    }

    @Test func `an answer that was lost is found, and nothing is said twice`() async throws {
        try await Self.with([.answer]) { (lab) async throws in
            let error = await #expect(throws: VoiceError.self) { try await lab.chat.send("hello") }
            #expect(error?.code == .serverConnectionLost)
            #expect(try await lab.texts == ["hello", "You said: hello"])
            #expect(try await lab.states == [.sent, .sent])
            #expect(try await lab.chat.retry(Self.local(lab)) == nil)
            #expect(try await lab.client.messages().count == 2)
        }
    }

    @Test func `words that were lost have failed, and are sent by the next try`() async throws {
        try await Self.with([.request, .everything, .everything, .everything]) { (lab) async throws in
            await #expect(throws: VoiceError.self) { try await lab.chat.send("hello") }
            guard case .failed = try await lab.states.first else {
                Issue.record("\(try await lab.states)")
                return
            }
            let id = try await Self.local(lab)
            // The client tries twice by itself where it never connected.
            let error = await #expect(throws: VoiceError.self) { try await lab.chat.retry(id) }
            #expect(error?.code == .serverUnreachable)
            let thread = try await lab.store.thread(of: .default)
            #expect(thread.entries.map(\.text) == ["hello"])
        }
        try await Self.with([.request]) { (lab) async throws in
            await #expect(throws: VoiceError.self) { try await lab.chat.send("hello") }
            #expect(try await lab.chat.retry(Self.local(lab))?.text == "You said: hello")
            #expect(try await lab.texts == ["hello", "You said: hello"])
            #expect(try await lab.client.messages().count == 2)
        }
    }
}
