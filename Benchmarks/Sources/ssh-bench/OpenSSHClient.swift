// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// OpenSSH's own programs, as child processes on pipes.
struct OpenSSHClient: BenchClient {
    let site: Site
    private let clock = ContinuousClock()

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

    private func seconds(since start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

    func bulk(bytes: Int) async throws -> Sample { try transfer(["-T"], site.bulkCommand(bytes: bytes), bytes: bytes) }

    func text(bytes: Int) async throws -> Sample {
        // No -n: a terminal whose input has ended would end its session.
        try transfer(["-tt"], "stty -onlcr; " + site.textCommand, bytes: bytes)
    }

    private func transfer(_ extra: [String], _ command: String, bytes: Int) throws -> Sample {
        let start = clock.now
        let child = try ssh(extra, command)
        let count = child.drain()
        let wall = seconds(since: start)
        let cpu = child.wait()
        guard count == bytes else { throw BenchError("\(count) bytes came instead of \(bytes)") }
        let gigabytes = Double(bytes) / 1e9
        return [.secondsPerGB: wall / gigabytes, .cpuPerGB: cpu / gigabytes]
    }

    func echo(count: Int, flood: Bool) async throws -> Sample {
        var flooding: (channel: Child, master: Master, received: @Sendable () -> Int)?
        var extra = ["-tt"]
        if flood {
            let master = try Master(self)
            extra += master.option
            let channel = try ssh(master.option, Site.floodCommand)
            // The windows are full and the server is at its speed before the first key.
            guard channel.drain(upTo: 4 << 20) >= 4 << 20 else { throw BenchError("the flood did not start") }
            flooding = (channel, master, channel.discardOutput())
        }
        let child = try ssh(extra, Site.echoCommand)
        guard try child.readByte() == UInt8(ascii: "!") else { throw BenchError("the echo did not start") }
        var times: [Double] = []
        let before = flooding?.received() ?? 0
        for _ in 0..<count {
            let start = clock.now
            try child.write([UInt8(ascii: "k")])
            _ = try child.readByte()
            times.append(seconds(since: start))
        }
        child.terminate()
        if let flooding, flooding.received() == before { throw BenchError("the flood stood still") }
        flooding?.channel.terminate()
        flooding?.master.end()
        return times.latencies
    }

    func connect() async throws -> Sample {
        let start = clock.now
        let child = try ssh(["-tt"], Site.readyCommand)
        _ = try child.readByte()
        let wall = seconds(since: start)
        child.terminate()
        return [.milliseconds: wall * 1000]
    }

    func extraSessions(count: Int) async throws -> Sample {
        let master = try Master(self)
        defer { master.end() }
        let first = try ssh(["-tt"] + master.option, Site.readyCommand)
        _ = try first.readByte()
        var children = [first]
        var times: [Double] = []
        for _ in 0..<count {
            let start = clock.now
            let child = try ssh(["-tt"] + master.option, Site.readyCommand)
            _ = try child.readByte()
            times.append(seconds(since: start))
            children.append(child)
        }
        for child in children { child.terminate() }
        return [.milliseconds: Distribution.quantile(0.5, ofSorted: times.sorted()) * 1000]
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
        let start = clock.now
        let child = try Child(["sftp", "-F", "none"] + options + Self.common(site) + ["127.0.0.1"])
        _ = child.drain()
        let wall = seconds(since: start)
        guard child.waitForStatus() == 0 else { throw BenchError("sftp failed") }
        return [.secondsPerGB: wall / (Double(bytes) / 1e9)]
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
