// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTransport

/// Twenty sessions on a server with sshd's default MaxSessions: when the base page shows something, against a single
/// terminal on the same session, in alternated pairs. Each measurement is made by a process of its own.
enum TwentySessions {
    static let name = "twenty-sessions"
    private static let count = 20
    /// sshd's default.
    private static let maxSessions = 10

    private enum Side: String, Codable {
        /// One terminal on the base session.
        case single
        /// A manager that opens all sessions.
        case twenty
    }

    private struct Job: Codable {
        let side: Side
        let site: Site
        let socket: String
    }

    private struct Outcome: Codable {
        /// Until the base session's first byte.
        var milliseconds: Double
        /// Until all pages take keys.
        var allMilliseconds: Double?
        var connections: Int
        var cpuSeconds: Double
    }

    /// Takes the number of pairs, 9 unless said otherwise; or the job of a process.
    static func run(_ arguments: ArraySlice<String>) async throws {
        if arguments.first == "--job", let job = arguments.last {
            let outcome = try await play(JSONDecoder().decode(Job.self, from: Data(job.utf8)))
            return FileHandle.standardOutput.write(try JSONEncoder().encode(outcome))
        }
        print(try compare(pairs: max(1, arguments.first.flatMap { Int($0) } ?? 9)))
    }

    // MARK: One measurement

    private static func play(_ job: Job) async throws -> Outcome {
        let site = job.site
        let host = try SSHHost(
            "127.0.0.1",
            port: site.port,
            user: site.user,
            key: try SSHPrivateKey(pem: Secret(String(contentsOfFile: site.privateKey, encoding: .utf8))),
            trust: .onlyKnown(HostKeyFile(path: site.knownHosts))
        )
        let server = TmuxServer(.path(job.socket))
        let clock = ContinuousClock()
        let start = clock.now
        func milliseconds() -> Double { (clock.now - start) / .milliseconds(1) }
        var outcome: Outcome
        switch job.side {
        case .single:
            let session = try await host.session("riff", size: .standard, server: server)
            try await readFirstByte(of: session)
            outcome = Outcome(milliseconds: milliseconds(), connections: 1, cpuSeconds: 0)
        case .twenty:
            let manager = SessionManager(
                host,
                size: .standard,
                configuration: SessionsConfiguration(server: server)
            )
            await manager.start()
            guard let base = manager.current.active.terminal else { throw BenchError("there is no base page") }
            try await readFirstByte(of: base)
            outcome = Outcome(milliseconds: milliseconds(), connections: 0, cpuSeconds: 0)
            for await snapshot in manager.updates()
            where snapshot.pages.count == count && snapshot.pages.allSatisfy({ $0.state?.isOpen == true }) { break }
            outcome.allMilliseconds = milliseconds()
            outcome.connections = host.current.connectionCount
            await manager.shutdown()
        }
        await host.shutdown()
        outcome.cpuSeconds = ownProcessorSeconds()
        return outcome
    }

    private static func readFirstByte(of session: TerminalSession) async throws {
        var output = session.output.makeAsyncIterator()
        guard await output.next() != nil else { throw BenchError("the terminal ended") }
    }

    // MARK: All of them

    private static func compare(pairs: Int) throws -> String {
        let (site, sshd) = try Site.make(scale: 0.001, maxSessions: maxSessions)
        let cleaning = Cleaning(server: sshd.processID, folder: site.folder)
        let socket = site.folder + "/tmux"
        defer {
            cleaning.stop()
            // It may not have started; what went wrong before is the error to tell.
            _ = try? tmux(["-S", socket, "kill-server"])
            sshd.terminate()
            try? FileManager.default.removeItem(atPath: site.folder)
        }
        for number in 1...count {
            let name = number == 1 ? "riff" : "riff-\(number)"
            let session = ["-f", "/dev/null", "-S", socket, "new-session", "-d", "-s", name, "echo up; exec cat"]
            guard try tmux(session) == 0 else { throw BenchError("tmux made no session \(name)") }
        }
        var outcomes: [Side: [Outcome]] = [:]
        for pair in 0..<pairs {
            FileHandle.standardError.write(Data("\(name): pair \(pair + 1) of \(pairs)\n".utf8))
            // Who comes first changes, so that a drift of the machine's load falls on both.
            for side in pair.isMultiple(of: 2) ? [Side.single, .twenty] : [.twenty, .single] {
                outcomes[side, default: []].append(try measure(Job(side: side, site: site, socket: socket)))
            }
        }
        return table(single: outcomes[.single] ?? [], twenty: outcomes[.twenty] ?? [])
    }

    private static func tmux(_ arguments: [String]) throws -> Int32 {
        let child = try Child(["tmux"] + arguments)
        child.closeInput()
        return child.waitForStatus()
    }

    private static func measure(_ job: Job) throws -> Outcome {
        guard let program = Bundle.main.executablePath else { throw BenchError("this program is not found") }
        let text = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
        let child = try Child([program, name, "--job", text])
        child.closeInput()
        let output = child.readAll()
        guard child.waitForStatus() == 0 else { throw BenchError("\(name), \(job.side.rawValue): failed") }
        return try JSONDecoder().decode(Outcome.self, from: Data(output))
    }

    private static func table(single: [Outcome], twenty: [Outcome]) -> String {
        func text(_ values: [Double]) -> String {
            guard let spread = Distribution(values) else { return "-" }
            let numbers = [spread.median, spread.lowerQuartile, spread.upperQuartile]
            let texts = numbers.map { String(format: $0 < 10 ? "%.3f" : "%.1f", $0) }
            return "\(texts[0]) [\(texts[1]), \(texts[2])]"
        }
        let ratios = zip(twenty, single).map { $0.milliseconds / $1.milliseconds }
        let connections = Set(twenty.map(\.connections)).sorted().map(String.init).joined(separator: ", ")
        return """
            one terminal, first byte          \(text(single.map(\.milliseconds))) ms
            base page of \(count), first byte       \(text(twenty.map(\.milliseconds))) ms
            ratio                             \(text(ratios))
            all \(count) pages take keys            \(text(twenty.compactMap(\.allMilliseconds))) ms
            CPU, one terminal                 \(text(single.map(\.cpuSeconds))) s
            CPU, \(count) pages                     \(text(twenty.map(\.cpuSeconds))) s
            connections (MaxSessions \(maxSessions))      \(connections)
            median [quartiles] of \(single.count) alternated pairs
            """
    }
}
