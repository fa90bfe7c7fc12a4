// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTransport

/// RiffTransport's public API, in this process.
struct RiffTransportClient: BenchClient {
    let site: Site

    init(site: Site) { self.site = site }

    private func host(through jump: SSHHost? = nil) throws -> SSHHost {
        let key = try SSHPrivateKey(pem: Secret(String(contentsOfFile: site.privateKey, encoding: .utf8)))
        return try SSHHost(
            "127.0.0.1",
            port: site.port,
            user: site.user,
            key: key,
            trust: jump == nil ? .onlyKnown(HostKeyFile(path: site.knownHosts)) : .firstUse(InMemoryHostKeyStore()),
            jump: jump
        )
    }

    @concurrent
    func bulk(bytes: Int) async throws -> Sample {
        var transfer = Transfer()
        let host = try host()
        let channel = try await host.openChannel(site.bulkCommand(bytes: bytes))
        for try await chunk in channel.output { transfer.came(chunk.count) }
        // The channel does not keep its host's connection.
        return try withExtendedLifetime(host) { try transfer.sample(of: bytes) }
    }

    @concurrent
    func text(bytes: Int) async throws -> Sample {
        var transfer = Transfer()
        let command = "stty -onlcr; " + site.textCommand
        let session = try await host().terminal(command, name: "text", size: .standard)
        for await chunk in session.output { transfer.came(chunk.count) }
        return try transfer.sample(of: bytes)
    }

    @concurrent
    func echo(count: Int) async throws -> Sample {
        let typing = try await Typing(host())
        let before = ownProcessorSeconds()
        var sample = try await typing.keystrokes(count).latencies
        sample[.cpuPerKey] = (ownProcessorSeconds() - before) / Double(count) * 1e6
        return sample
    }

    @concurrent
    func echoInFlood(count: Int) async throws -> Sample {
        let host = try host()
        let typing = try await Typing(host)
        let idle = try await typing.keystrokes(count).latencies
        let flood = try await host.openChannel(Site.floodCommand)
        let received = Counter()
        let (started, isFlooding) = AsyncStream.makeStream(of: Void.self)
        return try await withThrowingTaskGroup { group in
            group.addTask {
                defer { isFlooding.finish() }
                do {
                    for try await chunk in flood.output {
                        let total = received.add(chunk.count)
                        // The windows are full and the server is at its speed before the first key.
                        if total >= 4 << 20 { isFlooding.finish() }
                    }
                } catch is CancellationError {}  // it ends with the measurement
            }
            for await _ in started {}
            let (before, watch) = (received.value, Stopwatch())
            let sample = try await typing.keystrokes(count).latencies.flooded(
                by: received.value - before,
                in: watch.seconds,
                idle: idle
            )
            group.cancelAll()
            return sample
        }
    }

    @concurrent
    func jump(count: Int) async throws -> Sample {
        let watch = Stopwatch()
        let typing = try await Typing(host(through: host()))
        let wall = watch.seconds
        return try await typing.keystrokes(count).latencies.merging([.milliseconds: wall * 1000]) { $1 }
    }

    /// A terminal that echoes.
    private struct Typing {
        let session: TerminalSession
        private var output: TerminalOutput.AsyncIterator

        init(_ host: SSHHost) async throws {
            session = try await host.terminal(Site.echoCommand, name: "echo", size: .standard)
            output = session.output.makeAsyncIterator()
            guard await output.next()?.last == UInt8(ascii: "!") else { throw BenchError("the echo did not start") }
        }

        /// How long each keystroke took, in seconds.
        func keystrokes(_ count: Int) async throws -> [Double] {
            var output = output
            var times: [Double] = []
            for _ in 0..<count {
                let watch = Stopwatch()
                try await session.write([UInt8(ascii: "k")])
                guard await output.next() != nil else { throw BenchError("the echo ended") }
                times.append(watch.seconds)
            }
            return times
        }
    }

    @concurrent
    func connect() async throws -> Sample {
        let before = ownProcessorSeconds()
        let watch = Stopwatch()
        _ = try await ready(host())
        return [.milliseconds: watch.seconds * 1000, .cpuMilliseconds: (ownProcessorSeconds() - before) * 1000]
    }

    @concurrent
    func extraSessions(count: Int) async throws -> Sample {
        let host = try host()
        var sessions = [try await ready(host)]
        var times: [Double] = []
        let before = ownProcessorSeconds()
        for _ in 0..<count {
            let watch = Stopwatch()
            sessions.append(try await ready(host))
            times.append(watch.seconds)
        }
        let cpu = ownProcessorSeconds() - before
        return [.milliseconds: times.latencies[.p50] ?? .nan, .cpuMilliseconds: cpu / Double(count) * 1000]
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
        let before = ownProcessorSeconds()
        let watch = Stopwatch()
        var offset = 0
        while offset < bytes {
            let chunk = try await host.read(site.file, from: UInt64(offset), count: 8 << 20)
            if chunk.isEmpty { break }
            offset += chunk.count
        }
        guard offset == bytes else { throw BenchError("\(offset) bytes came instead of \(bytes)") }
        let gigabytes = Double(bytes) / 1e9
        return [.secondsPerGB: watch.seconds / gigabytes, .cpuPerGB: (ownProcessorSeconds() - before) / gigabytes]
    }

    @concurrent
    func forward(_ direction: ForwardDirection, bytes: Int) async throws -> Sample {
        let target = try HostAddress("127.0.0.1", port: try ForwardPeers.startTarget(direction, bytes: bytes))
        return try await host().withForward(to: target) { forward in
            let port = forward.port
            // The ends block, which no task of the pool may.
            return try await withCheckedThrowingContinuation { done in
                Thread {
                    done.resume(with: Result { try ForwardPeers.move(direction, bytes: bytes, over: port) })
                }.start()
            }
        }
    }

    /// Opens a terminal and waits for its first byte.
    private func ready(_ host: SSHHost) async throws -> TerminalSession {
        let session = try await host.terminal(Site.readyCommand, name: "ready", size: .standard)
        var output = session.output.makeAsyncIterator()
        guard await output.next() != nil else { throw BenchError("the terminal ended") }
        return session
    }
}
