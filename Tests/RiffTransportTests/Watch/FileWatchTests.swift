// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct FileWatchMachineTests {
    private static func print(_ identity: String?, _ size: UInt64 = 1, _ stamp: String = "") -> FileFingerprint {
        FileFingerprint(identity: identity, sizeBytes: size, stamp: stamp)
    }

    @Test(
        arguments: [
            (nil, nil, nil),
            (nil, print("a"), .created),
            (print("a"), nil, .removed),
            (print("a"), print("a"), nil),
            (print("a"), print("a", 2), .modified),
            (print("a"), print("a", 1, "later"), .modified),
            (print("a"), print("b"), .replaced),
            (print(nil), print(nil, 2), .modified),
        ] as [(FileFingerprint?, FileFingerprint?, FileWatch.Change.Kind?)]
    )
    func `two looks make one change or none`(
        before: FileFingerprint?,
        after: FileFingerprint?,
        kind: FileWatch.Change.Kind?
    ) {
        var machine = FileWatchMachine(paths: ["p", "p"], known: before.map { ["p": $0] } ?? [:])
        #expect(machine.take(after.map { ["p": $0] } ?? [:]).map(\.kind) == (kind.map { [$0] } ?? []))
        #expect(machine.take(after.map { ["p": $0] } ?? [:]) == [])
    }
}

@Suite(.timeLimit(.minutes(2)))
struct FileWatchTests {
    @Test(arguments: HostSessionConformance.watchChecks)
    func `a host in memory keeps the rules of watches`(check: ConformanceCheck<HostSessionConformance>) async throws {
        try await check.run(HostSessionConformance(ScriptedHostSession(), in: "/"))
    }

    @Test func `a host that tells nothing is looked at once in each interval`() async throws {
        let host = ScriptedHostSession(files: ["/log": [1]])
        let clock = ManualClock()
        let watch = try await FileWatch(["/log"], every: .seconds(2), clock: clock) {
            try await host.fingerprints(of: $0)
        }
        try host.append([2], to: "/log")
        async let found = {
            var changes = watch.makeAsyncIterator(); return try await changes.next()
        }()
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        #expect(try await found?.map(\.after?.sizeBytes) == [2])
    }

    @Test func `a look that fails is an error, and the watch goes on`() async throws {
        let host = ScriptedHostSession(files: ["/log": [1]])
        let flaky = Flaky(host)
        let watch = try await FileWatch(["/log"], every: .zero, clock: ContinuousClock()) { try await flaky.look($0) }
        try host.append([2], to: "/log")
        var changes = watch.makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) { _ = try await changes.next() }
        #expect(error?.code == .connectionLost)
        #expect(try await changes.next()?.count == 1)
    }

    private actor Flaky {
        let host: ScriptedHostSession
        var looks = 0

        init(_ host: ScriptedHostSession) { self.host = host }

        func look(_ paths: [String]) async throws -> [String: FileFingerprint] {
            looks += 1
            if looks == 2 { throw TransportError(.connectionLost, "lost") }
            return try await host.fingerprints(of: paths)
        }
    }
}

extension RealServers {
    @Suite struct SSHFileWatchTests {
        @Test func `a host reached by SSH keeps the rules of watches`() async throws {
            try await SSHLab.with { lab in
                let suite = HostSessionConformance(try lab.host().files, in: "/tmp")
                for check in HostSessionConformance.watchChecks { try await check.run(suite) }
            }
        }

        @Test func `a hundred files are looked at by one command`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let paths = (0..<100).map { "/tmp/riff-none-\($0)" } + ["/etc/passwd", "/tmp"]
                let found = try await host.files.fingerprints(of: paths)
                #expect(found.keys.sorted() == ["/etc/passwd", "/tmp"])
                #expect(found["/etc/passwd"]?.identity?.contains(":") == true)
            }
        }
    }
}
