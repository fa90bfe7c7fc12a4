// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import ExampleTesting
import Foundation
import Logging
import RiffTransport
import Synchronization
import Testing

import riff_server

@Suite(.timeLimit(.minutes(5))) struct HarmlessLogTests {
    private final class Written: Sendable {
        private let text = Mutex("")
        var current: String { text.withLock(\.self) }
        func add(_ more: HarmlessText) { text.withLock { $0 += more.text } }
    }

    @Test func `an event is one line, whatever is in it`() {
        let written = Written()
        var logger = Logger(label: "test") { label in HarmlessLog(label: label) { written.add($0) } }
        logger[metadataKey: "kept"] = "\(HostileWords.text)"
        let facts: Logger.Metadata = ["list": ["\(HostileWords.text)"], "\(HostileWords.text)": "b"]
        logger.error("\(HostileWords.text)", metadata: facts, source: "tests")
        logger.info("too little")
        let text = written.current
        #expect(Array(text.utf8).foreign(to: .pipe) == [])
        #expect(text.count { $0 == "\n" } == 1 && text.hasSuffix("n z\n"), "\(text)")
        #expect(text.contains(" error test: \(HostileWords.left)") && text.contains(" kept=\(HostileWords.left)"))
        #expect(text.contains(" [tests] \(HostileWords.left)"), "\(text)")
    }

    /// Asks for paths and with fields that hold whatever a parser may let pass, and says when all is answered.
    private static let requests = #"""
        for head in 'GET /\x1b[2J\xc2\x9b HTTP/1.1' 'GET /riff/health HTTP/1.1\r\nx: \xc2\x9b2J\xe2\x80\xae' \
            'G\x1b]52;c;aGk=\x07T / HTTP/1.1' 'GET /%%1B%%5B2J%%C2%%9B HTTP/1.1'; do
          exec 3<>/dev/tcp/127.0.0.1/$1 || exit 1
          printf "$head\r\nHost: x\r\nConnection: close\r\n\r\n" >&3
          cat <&3
          exec 3>&-
        done
        """#

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash"), "needs bash"))
    func `nothing that a client sends is for a terminal where the server writes, on a terminal and elsewhere`()
        async throws
    {
        let log = try await ServerProgram.run(["--log-level", "trace", "--idle-timeout", "5"]) { server in
            let port = try #require(server.lines.first)
            let ran = try await LocalProcess.start(LocalCommand("/bin/bash", ["-c", Self.requests, "ask", port]))
            let answers = String(decoding: try await ran.output.collect(upTo: 1 << 20), as: UTF8.self)
            await ran.close()
            #expect(answers.contains("HTTP/1.1 4"))
            #expect(try await server.post("/riff/message", HostileWords.text).status >= 400)
        }
        #expect(!log.isEmpty && Array(log.utf8).foreign(to: .pipe) == [])
    }

    @Test func `on a terminal it writes the same lines`() async throws {
        var environment = ProcessInfo.processInfo.environment
        environment["RIFF_SHARED_SECRET"] = ServerProgram.secret
        environment["ELEVENLABS_API_KEY"] = nil
        let arguments = ["--port", "0", "--log-level", "trace"]
        let command = LocalCommand(try BuiltProgram.path("riff-server"), arguments, environment: environment)
        let terminal = LocalPTYTerminal(command)
        try await terminal.connect(size: Person.size)
        let person = Person(terminal)
        try await person.sees("no recognizer is chosen")
        // As a person ends it.
        try await person.type("\u{3}")
        try await person.watchesTheEnd()
        #expect(person.written.foreign(to: .lines) == [])
    }
}
