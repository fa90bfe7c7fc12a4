// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTransport
import RiffVoice
import Synchronization
import Testing

/// Conversations with the program itself, over HTTP on loopback.
@Suite(.timeLimit(.minutes(5))) struct ServedConversationTests {
    /// The names of the answers that came.
    private final class Answered: Sendable {
        private let names = Mutex<Set<RiffIdentifier>>([])
        var all: Set<RiffIdentifier> { names.withLock { $0 } }
        func add(_ name: RiffIdentifier) { names.withLock { _ = $0.insert(name) } }
    }

    @Test func `fifty clients at a time are answered or put off, and every answer is kept`() async throws {
        try await AnsweringAgent.with { _, arguments in
            try await ServerProgram.run(arguments) { server in
                let client = try server.client
                let replies = try await withThrowingTaskGroup(of: RiffClient.Reply?.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            do { return try await client.send("message \(number)") } catch let error as VoiceError
                                where error.code == .serverBusy
                            { return nil }
                        }
                    }
                    return try await group.reduce(into: [RiffClient.Reply]()) { replies, reply in
                        if let reply { replies.append(reply) }
                    }
                }
                #expect(replies.count >= 8)
                let kept = try await client.messages(limit: 1000)
                #expect(Set(replies.map(\.messageID)).isSubset(of: kept.map(\.id)))
                // What was put off is not there.
                #expect(kept.count == replies.count * 2)
            }
        }
    }

    @Test func `a server that is killed in the middle of a thousand messages has lost nothing that it answered`()
        async throws
    {
        try await AnsweringAgent.with { _, arguments in
            let answered = (0..<8).map { _ in Answered() }
            @Sendable func count() -> Int { answered.reduce(0) { $0 + $1.all.count } }
            try await ServerProgram.run(arguments) { server in
                let client = try server.client
                await withTaskGroup { group in
                    for writer in 0..<8 {
                        group.addTask {
                            for number in 0..<125 {
                                let thread = RiffIdentifier.numbered(writer)
                                // The server's end ends this, too.
                                guard let reply = try? await client.send("\(number)", in: thread) else { return }
                                answered[writer].add(reply.messageID)
                                if count() >= 500 { kill(server.process.processID, SIGKILL) }
                            }
                        }
                    }
                }
            }
            #expect((500..<600).contains(count()))
            try await ServerProgram.run(arguments) { server in
                for writer in 0..<8 {
                    let thread = RiffIdentifier.numbered(writer)
                    let kept = try await server.client.messages(of: thread, limit: 1000)
                    #expect(answered[writer].all.isSubset(of: kept.map(\.id)))
                }
                let reply = try await server.client.send("after")
                #expect(reply.text == "after")
            }
        }
    }
}

extension RiffIdentifier {
    fileprivate static func numbered(_ number: Int) -> RiffIdentifier {
        // A digit behind letters is always a name.
        (try? RiffIdentifier("thread-\(number)")) ?? .default
    }
}
