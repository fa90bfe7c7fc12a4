// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTransport

/// RiffTransport's public API, in this process.
struct RiffTransportClient: BenchClient {
    let site: Site
    private let clock = ContinuousClock()

    init(site: Site) { self.site = site }

    private func host() throws -> SSHHost {
        let key = try SSHPrivateKey(pem: Secret(String(contentsOfFile: site.privateKey, encoding: .utf8)))
        return try SSHHost(
            "127.0.0.1",
            port: site.port,
            user: site.user,
            key: key,
            trust: .onlyKnown(HostKeyFile(path: site.knownHosts))
        )
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

    @concurrent
    func bulk(bytes: Int) async throws -> Sample {
        let host = try host()
        let cpu = processorSeconds()
        let start = clock.now
        let channel = try await host.files.openChannel(site.bulkCommand(bytes: bytes))
        var count = 0
        for try await chunk in channel.output { count += chunk.count }
        return try transferred(count, of: bytes, in: seconds(since: start), cpu: processorSeconds() - cpu)
    }

    @concurrent
    func text(bytes: Int) async throws -> Sample {
        let host = try host()
        let cpu = processorSeconds()
        let start = clock.now
        let session = try await host.terminal("stty -onlcr; " + site.textCommand, name: "text", size: .standard)
        var count = 0
        for await chunk in session.output { count += chunk.count }
        return try transferred(count, of: bytes, in: seconds(since: start), cpu: processorSeconds() - cpu)
    }

    private func transferred(_ count: Int, of bytes: Int, in wall: Double, cpu: Double) throws -> Sample {
        guard count == bytes else { throw BenchError("\(count) bytes came instead of \(bytes)") }
        let gigabytes = Double(bytes) / 1e9
        return [.secondsPerGB: wall / gigabytes, .cpuPerGB: cpu / gigabytes]
    }

    @concurrent
    func echo(count: Int, flood: Bool) async throws -> Sample {
        let host = try host()
        var flooding: Task<Void, Never>?
        if flood {
            let channel = try await host.files.openChannel(Site.floodCommand)
            flooding = Task {
                do { for try await _ in channel.output {} } catch {}  // it ends with the process
            }
        }
        let session = try await host.terminal(Site.echoCommand, name: "echo", size: .standard)
        var output = session.output.makeAsyncIterator()
        guard await output.next()?.last == UInt8(ascii: "!") else { throw BenchError("the echo did not start") }
        var times: [Double] = []
        for _ in 0..<count {
            let start = clock.now
            try await session.write([UInt8(ascii: "k")])
            _ = await output.next()
            times.append(seconds(since: start))
        }
        flooding?.cancel()
        return times.latencies
    }

    @concurrent
    func connect() async throws -> Sample {
        let start = clock.now
        _ = try await ready(host())
        return [.milliseconds: seconds(since: start) * 1000]
    }

    @concurrent
    func extraSessions(count: Int) async throws -> Sample {
        let host = try host()
        var sessions = [try await ready(host)]
        var times: [Double] = []
        for _ in 0..<count {
            let start = clock.now
            sessions.append(try await ready(host))
            times.append(seconds(since: start))
        }
        return [.milliseconds: Distribution.quantile(0.5, ofSorted: times.sorted()) * 1000]
    }

    /// What connections cost beyond the program itself: the memory with them less the memory with one, which has made
    /// the threads and the library's tables.
    @concurrent
    func memory(count: Int) async throws -> Sample {
        var sessions = [try await ready(host())]
        let before = try proportionalSetKiB(of: getpid())
        for _ in 0..<count { sessions.append(try await ready(host())) }
        let after = try proportionalSetKiB(of: getpid())
        return withExtendedLifetime(sessions) { [.kibibytes: (after - before) / Double(count)] }
    }

    @concurrent
    func file(bytes: Int) async throws -> Sample {
        let host = try host()
        let start = clock.now
        var offset = 0
        while offset < bytes {
            let chunk = try await host.files.read(site.file, from: UInt64(offset), count: 8 << 20)
            if chunk.isEmpty { break }
            offset += chunk.count
        }
        guard offset == bytes else { throw BenchError("\(offset) bytes came instead of \(bytes)") }
        return [.secondsPerGB: seconds(since: start) / (Double(bytes) / 1e9)]
    }

    /// Opens a terminal and waits for its first byte.
    private func ready(_ host: SSHHost) async throws -> TerminalSession {
        let session = try await host.terminal(Site.readyCommand, name: "ready", size: .standard)
        var output = session.output.makeAsyncIterator()
        guard await output.next() != nil else { throw BenchError("the terminal ended") }
        return session
    }
}

/// The CPU time of this process, user and system.
private func processorSeconds() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}
