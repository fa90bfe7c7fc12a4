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
    /// Answers what is put into a folder, until its task is cancelled.
    private static func answer(in folder: String) async throws {
        let files = FileManager.default
        while true {
            // Not there before the first event.
            let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasSuffix(".event.json") {
                let reply = "\(folder)/\(name.dropLast(".event.json".count)).reply.json"
                guard !files.fileExists(atPath: reply) else { continue }
                // An event may be taken back at any moment.
                guard let bytes = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")) else { continue }
                let text = try JSONValue(parsing: Array(bytes))["text"] ?? .null
                try Data(JSONValue.object(["reply": text]).bytes()).write(to: URL(filePath: reply), options: .atomic)
            }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }

    private static func with(_ body: (String, [String]) async throws -> Void) async throws {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        let agent = Task { try await Self.answer(in: "\(folder)/bridge") }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(folder, ["--bridge", "\(folder)/bridge", "--records", "\(folder)/records"])
            )
        } catch { result = .failure(error) }
        agent.cancel()
        if case .failure(let error) = await agent.result, !(error is CancellationError) { throw error }
        try result.get()
    }

    /// The names of the answers that came.
    private final class Answered: Sendable {
        private let names = Mutex<Set<RiffIdentifier>>([])
        var all: Set<RiffIdentifier> { names.withLock { $0 } }
        func add(_ name: RiffIdentifier) { names.withLock { _ = $0.insert(name) } }
    }

    private static func client(_ address: HTTPBaseURL, _ http: AsyncHTTPTransport) throws -> RiffClient {
        RiffClient(server: address, secret: try RiffSecret(hex: ServerProgram.secret), http: http)
    }

    @Test func `fifty clients at a time are answered or put off, and every answer is kept`() async throws {
        try await Self.with { _, arguments in
            try await ServerProgram.with(arguments) { address, http in
                let client = try Self.client(address, http)
                let replies = try await withThrowingTaskGroup(of: RiffReply?.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            do { return try await client.send("message \(number)") } catch let error as VoiceError
                                where error.code == .serverBusy
                            { return nil }
                        }
                    }
                    return try await group.reduce(into: [RiffReply]()) { replies, reply in
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

    @Test func `a server that is killed has lost nothing that it answered`() async throws {
        try await Self.with { _, arguments in
            let answered = Answered()
            try await ServerProgram.withProcess(arguments) { address, http, process in
                let client = try Self.client(address, http)
                await withTaskGroup { group in
                    for writer in 0..<8 {
                        group.addTask {
                            for number in 0..<1000 {
                                // The server's end ends this, too.
                                guard let reply = try? await client.send("\(writer) \(number)") else { return }
                                answered.add(reply.messageID)
                            }
                        }
                    }
                    group.addTask {
                        while answered.all.count < 60 {
                            try? await ContinuousClock().sleep(for: .milliseconds(5))
                        }
                        kill(process.processID, SIGKILL)
                    }
                }
            }
            try await ServerProgram.with(arguments) { address, http in
                let kept = try await Self.client(address, http).messages(limit: 1000)
                let all = answered.all
                #expect(all.count >= 60)
                #expect(all.isSubset(of: kept.map(\.id)))
                #expect(try await Self.client(address, http).send("after").text == "after")
            }
        }
    }

    @Test func `what is no request of ours gets nothing`() async throws {
        try await ServerProgram.with([]) { address, http in
            let unsigned = try await http.send(
                address.request(.get, "/riff/health"),
                body: .none,
                deadlines: HTTPDeadlines(total: .seconds(10))
            )
            #expect(unsigned.head.status == .unauthorized)
            let old = RiffClient(
                server: address,
                secret: try RiffSecret(hex: ServerProgram.secret),
                http: http,
                signature: .v1
            )
            let error = await #expect(throws: VoiceError.self) { _ = try await old.health() }
            #expect(error?.code == .signatureVersion)
            // The same request once more, byte for byte.
            var request = address.request(.get, "/riff/health")
            let key = RiffSigningKey(try RiffSecret(hex: ServerProgram.secret))
            let now = Date().timeIntervalSince1970
            let field = SignedRequestField(signing: request, target: "/riff/health", body: [], with: key, at: now)
            request.headerFields[.riffSignedRequest] = field.value
            for status in [HTTPResponse.Status.ok, .unauthorized] {
                let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines(total: .seconds(10)))
                #expect(reply.head.status == status)
            }
        }
    }
}
