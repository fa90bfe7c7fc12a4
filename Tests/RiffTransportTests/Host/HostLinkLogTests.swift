// Riff
// SPDX-License-Identifier: Apache-2.0

import Logging
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// What a front end's log says of a host, and what it never says.
    @Suite struct HostLinkLogTests {
        @Test func `a log tells of connections and failures, and of no secret`() async throws {
            let log = RecordedLog()
            try await SSHLab.with { lab in
                let secret = "correct horse"
                let credentials: [SSHCredential] = [.password(Secret(secret))]
                let locked = SSHHost(try lab.configuration(credentials: credentials), logger: log.logger)
                let error = try #require(await transportError { try await locked.link.connect() })
                await locked.shutdown()
                #expect(log.lines.contains { $0.hasPrefix("dial failed") && $0.contains(error.stableCode) })

                let host = SSHHost(try lab.configuration(), logger: log.logger)
                let typed = "typed in the terminal"
                let session = try await host.terminal("stty -echo; exec cat", name: "cat", size: .standard)
                try await session.write(Array("\(typed)\n".utf8))
                var text = TerminalText(session.output)
                try await text.read(through: typed)
                #expect(try await host.text(of: "echo 'a command'") == "a command\n")
                await host.shutdown()
                #expect(log.lines.contains { $0.contains("riff.state") && $0.contains("connected") })
                #expect(log.lines.contains { $0.hasPrefix("connection ended") })
                #expect(log.lines.allSatisfy { $0.contains("127.0.0.1") })
                for word in [secret, typed, "a command", "PRIVATE KEY"] {
                    #expect(!log.lines.contains { $0.contains(word) }, "\(word)")
                }
            }
        }
    }
}

/// Everything that was logged, each message with its metadata.
private final class RecordedLog: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock(\.self) }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            log.written.withLock { $0.append("\(event.message) \(all)") }
        }
    }
}
