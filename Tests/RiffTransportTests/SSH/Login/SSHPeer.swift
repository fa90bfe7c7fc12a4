// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// The Python library asyncssh as a server that logs people in as a scenario says; see `Fixtures/ssh/peer.py`.
/// `scripts/fetch-ssh-peer` puts it into the cache folder.
final class SSHPeer: Sendable {
    static let folder: URL = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/"
        #if canImport(Darwin)
        let standard = "\(home)/Library/Caches"
        #else
        let standard = "\(home)/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return URL(filePath: cache).appending(path: "riff/ssh-peer-2.24.1")
    }()

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "complete").path) }

    let port: Int
    private let hosts = Mutex<[SSHHost]>([])
    private let seen: SeenLines

    private init(port: Int, seen: SeenLines) {
        self.port = port
        self.seen = seen
    }

    /// Runs a server; the scenarios are JSON, from a user's name to what happens.
    static func with(_ scenarios: String, _ body: (SSHPeer) async throws -> Void) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/ssh/peer.py").path
        let program = try await LocalProcess.start(
            LocalCommand(folder.appending(path: "bin/python").path, [script, scenarios])
        )
        let port = EventualValue<String>()
        let seen = SeenLines()
        let reader = Task {
            var lines = PeerLines(program.output)
            port.resolve(try await lines.next() ?? "")
            while let line = try await lines.next() { seen.add(line) }
        }
        let result: Result<Void, any Error>
        do {
            let number = try #require(Int(await port.value()), "asyncssh did not start")
            let peer = SSHPeer(port: number, seen: seen)
            result = .success(try await body(peer))
            for host in peer.hosts.withLock({ $0 }) { await host.shutdown() }
        } catch {
            result = .failure(error)
        }
        await program.close()
        _ = await reader.result
        try result.get()
    }

    /// What the server saw so far that has a word in it.
    func saw(_ word: String) -> [String] { seen.all.filter { $0.contains(word) } }

    /// Logs in and runs a command, which writes `in`.
    func expectIn(
        _ user: String,
        _ credentials: [SSHCredential],
        _ person: TestPerson? = nil,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let text = try await host(user, credentials, person).text(of: "x")
        #expect(text == "in\n", sourceLocation: place)
    }

    func host(
        _ user: String,
        _ credentials: [SSHCredential],
        _ person: TestPerson? = nil,
        change: (inout SSHHost.Configuration) -> Void = { _ in }
    ) throws -> SSHHost {
        var configuration = SSHHost.Configuration(
            address: try HostAddress("127.0.0.1", port: port),
            user: user,
            credentials: credentials,
            trust: .firstUse(InMemoryHostKeyStore())
        )
        configuration.connectTimeout = configuration.connectTimeout.patient
        configuration.operationTimeout = configuration.operationTimeout.patient
        configuration.conversation = person
        change(&configuration)
        let host = SSHHost(configuration)
        hosts.withLock { $0.append(host) }
        return host
    }
}

/// Lines of a program's output.
private struct PeerLines {
    private var chunks: ByteStream.Iterator
    private var unread: [UInt8] = []

    init(_ output: ByteStream) { chunks = output.makeAsyncIterator() }

    mutating func next() async throws -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard let chunk = try await chunks.next() else { return nil }
            unread += chunk
        }
    }
}

/// What the server saw, a JSON object each.
private final class SeenLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A person who notes what a server shows and asks, row by row, and answers as told.
final class TestPerson: SSHConversation {
    private let rows = Mutex<[String]>([])
    private let words = Mutex<[SSHServerWords]>([])
    private let answer: @Sendable (SSHPrompts) async throws -> [Secret]

    init(_ answer: @escaping @Sendable (SSHPrompts) async throws -> [Secret] = { $0.map { _ in Secret("yes") } }) {
        self.answer = answer
    }

    /// What was shown and asked: `shown: TEXT`, `asked: NAME | INSTRUCTION | PROMPT, PROMPT+` where `+` echoes.
    var seen: [String] { rows.withLock { $0 } }
    var shownWords: [SSHServerWords] { words.withLock { $0 } }

    func show(_ words: SSHServerWords) async {
        self.words.withLock { $0.append(words) }
        rows.withLock { $0.append("shown: \(words.text)") }
    }

    func answers(to prompts: SSHPrompts) async throws -> [Secret] {
        let questions = prompts.map { $0.text + ($0.echoes ? "+" : "") }.joined(separator: ", ")
        let kind = prompts.purpose == .newPassword ? "asked for a new password" : "asked"
        rows.withLock { $0.append("\(kind): \(prompts.name) | \(prompts.instruction) | \(questions)") }
        return try await answer(prompts)
    }
}
