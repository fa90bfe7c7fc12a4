// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// OpenSSH's own programs, as child processes on pipes.
struct OpenSSHClient: BenchClient {
    let site: Site

    init(site: Site) { self.site = site }

    /// What both `ssh` and the other programs are called with.
    static func options(_ site: Site) -> [String] {
        [
            "-c", Site.cipher, "-m", Site.mac, "-p", String(site.port), "-i", site.privateKey, "-l", site.user,
        ] + common(site) + ["127.0.0.1"]
    }

    private static func common(_ site: Site) -> [String] {
        [
            "UserKnownHostsFile=\(site.knownHosts)", "GlobalKnownHostsFile=none", "StrictHostKeyChecking=yes",
            "IdentitiesOnly=yes", "IdentityAgent=none", "BatchMode=yes", "LogLevel=ERROR", "Compression=no",
        ].flatMap { ["-o", $0] }
    }

    private func ssh(_ extra: [String], _ command: String?) throws -> Child {
        // A ControlMaster complains about every client whose input is no terminal.
        let isNoisy = extra.contains("-S")
        return try Child(
            ["ssh", "-F", "none"] + extra + Self.options(site) + (command.map { [$0] } ?? []),
            discardingErrors: isNoisy
        )
    }

    func bulk(bytes: Int) async throws -> Sample { try transfer(["-T"], site.bulkCommand(bytes: bytes), bytes: bytes) }

    func text(bytes: Int) async throws -> Sample {
        // No -n: a terminal whose input has ended would end its session.
        try transfer(["-tt"], "stty -onlcr; " + site.textCommand, bytes: bytes)
    }

    private func transfer(_ extra: [String], _ command: String, bytes: Int) throws -> Sample {
        var started: Child?
        var transfer = Transfer { started?.processorSeconds }
        let child = try ssh(extra, command)
        started = child
        child.drain { transfer.came($0) }
        return try transfer.sample(of: bytes) { child.wait() }
    }

    func echo(count: Int) async throws -> Sample {
        let child = try typing(["-tt"])
        let before = child.processorSeconds
        var sample = try keystrokes(count, to: child).latencies
        if let before, let after = child.processorSeconds {
            sample[.cpuPerKey] = (after - before) / Double(count) * 1e6
        }
        child.terminate()
        return sample
    }

    func echoInFlood(count: Int) async throws -> Sample {
        let master = try Master(self)
        defer { master.end() }
        let child = try typing(["-tt"] + master.option)
        let idle = try keystrokes(count, to: child).latencies
        let flood = try ssh(master.option, Site.floodCommand)
        // The windows are full and the server is at its speed before the first key.
        guard flood.drain(upTo: 4 << 20) >= 4 << 20 else { throw BenchError("the flood did not start") }
        let received = flood.discardOutput()
        let (before, watch) = (received(), Stopwatch())
        let sample = try keystrokes(count, to: child).latencies.flooded(
            by: received() - before,
            in: watch.seconds,
            idle: idle
        )
        child.terminate()
        flood.terminate()
        return sample
    }

    func jump(count: Int) async throws -> Sample {
        // What -J does, and with the same options for both hops, which -J does not take.
        let proxy = ["ssh", "-F", "none", "-W", "127.0.0.1:\(site.port)"] + Self.options(site)
        let watch = Stopwatch()
        let child = try typing(["-tt", "-o", "ProxyCommand=" + proxy.joined(separator: " ")])
        let wall = watch.seconds
        let sample = try keystrokes(count, to: child).latencies
        child.terminate()
        return sample.merging([.milliseconds: wall * 1000]) { $1 }
    }

    /// A terminal that echoes.
    private func typing(_ extra: [String]) throws -> Child {
        let child = try ssh(extra, Site.echoCommand)
        guard try child.readByte() == UInt8(ascii: "!") else { throw BenchError("the echo did not start") }
        return child
    }

    /// How long each keystroke took, in seconds.
    private func keystrokes(_ count: Int, to child: Child) throws -> [Double] {
        try (0..<count).map { _ in
            let watch = Stopwatch()
            try child.write([UInt8(ascii: "k")])
            _ = try child.readByte()
            return watch.seconds
        }
    }

    func connect() async throws -> Sample {
        let watch = Stopwatch()
        let child = try ssh(["-tt"], Site.readyCommand)
        _ = try child.readByte()
        var sample: Sample = [.milliseconds: watch.seconds * 1000]
        sample[.cpuMilliseconds] = child.processorSeconds.map { $0 * 1000 }
        child.terminate()
        return sample
    }

    func extraSessions(count: Int) async throws -> Sample {
        let master = try Master(self)
        defer { master.end() }
        let first = try ssh(["-tt"] + master.option, Site.readyCommand)
        _ = try first.readByte()
        var children = [first]
        var times: [Double] = []
        let before = master.process.processorSeconds
        for _ in 0..<count {
            let watch = Stopwatch()
            let child = try ssh(["-tt"] + master.option, Site.readyCommand)
            _ = try child.readByte()
            times.append(watch.seconds)
            children.append(child)
        }
        var sample: Sample = [.milliseconds: times.latencies[.p50] ?? .nan]
        if let before, let after = master.process.processorSeconds {
            let clients = children.dropFirst().compactMap(\.processorSeconds).reduce(0, +)
            sample[.cpuMilliseconds] = (after - before + clients) / Double(count) * 1000
        }
        for child in children { child.terminate() }
        return sample
    }

    func memory(count: Int) async throws -> Sample {
        let children = try (0..<count).map { _ in
            let child = try ssh(["-tt"], Site.readyCommand)
            _ = try child.readByte()
            return child
        }
        let sizes = try children.map { try proportionalSetKiB(of: $0.processID) }
        for child in children { child.terminate() }
        return [.kibibytes: sizes.reduce(0, +) / Double(count)]
    }

    func file(bytes: Int) async throws -> Sample {
        let batch = site.folder + "/batch"
        try "get \(site.file) /dev/null\n".write(toFile: batch, atomically: true, encoding: .utf8)
        let options = [
            "-c", Site.cipher, "-o", "MACs=\(Site.mac)", "-P", String(site.port), "-i", site.privateKey, "-o",
            "User=\(site.user)", "-b", batch, "-q",
        ]
        let watch = Stopwatch()
        let child = try Child(["sftp", "-F", "none"] + options + Self.common(site) + ["127.0.0.1"])
        _ = child.drain()
        let wall = watch.seconds
        guard child.waitForStatus() == 0 else { throw BenchError("sftp failed") }
        let gigabytes = Double(bytes) / 1e9
        return [.secondsPerGB: wall / gigabytes, .cpuPerGB: child.wait() / gigabytes]
    }

    func forward(_ direction: ForwardDirection, bytes: Int) async throws -> Sample {
        let target = try ForwardPeers.startTarget(direction, bytes: bytes)
        let port = try unusedPort()
        let child = try ssh(["-N", "-L", "127.0.0.1:\(port):127.0.0.1:\(target)"], nil)
        defer { child.terminate() }
        return try ForwardPeers.move(direction, bytes: bytes, over: port) { child.processorSeconds }
    }

    /// A ControlMaster: the process that holds the connection which later `ssh` processes use.
    private struct Master {
        let process: Child
        let option: [String]

        init(_ client: OpenSSHClient) throws {
            let socket = client.site.folder + "/m\(getpid())"
            option = ["-S", socket]
            process = try client.ssh(["-M", "-N"] + option, nil)
            while !FileManager.default.fileExists(atPath: socket) {
                guard kill(process.processID, 0) == 0 else { throw BenchError("the ControlMaster ended") }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }

        func end() { process.terminate() }
    }
}
