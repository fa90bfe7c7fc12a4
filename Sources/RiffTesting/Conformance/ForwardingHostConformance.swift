// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample: host: any ForwardingHost
/// The rules of `ForwardingHost`, as checks that any implementation can run whose 127.0.0.1 is this machine's.
///
/// ```swift
/// try await ForwardingHostConformance(host).runAll()
/// ```
public struct ForwardingHostConformance: Sendable {
    let host: any ForwardingHost
    let deadline: Duration

    /// Creates a suite for a host that can be reached.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - deadline: The most time that one check may take; a longer one is a failure.
    public init(_ host: any ForwardingHost, deadline: Duration = .seconds(60)) {
        self.host = host
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<ForwardingHostConformance>] = [
        .init("passesEveryByte") { try await $0.passesEveryByte() },
        .init("endsOneWayAtATime") { try await $0.endsOneWayAtATime() },
        .init("hasNoDiagnostics") { try await $0.hasNoDiagnostics() },
        .init("saysThatNobodyListens") { try await $0.saysThatNobodyListens() },
        .init("closesOnce") { try await $0.closesOnce() },
        .init("forwardsAPort") { try await $0.forwardsAPort() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    private func passesEveryByte() async throws {
        try await withChannel { channel in
            let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
            try await Self.expectEcho(of: bytes, through: channel)
        }
    }

    private func endsOneWayAtATime() async throws {
        try await withChannel { channel in
            try await channel.write(Array("question".utf8))
            try await channel.finishWriting()
            try await expect(.closed, "a write after finishWriting") { try await channel.write([65]) }
            let output = try await channel.output.collect(upTo: 1024)
            try expect(output == Array("question".utf8), "after finishWriting \(output.count) bytes came, not 8")
            let status = try await channel.exitStatus()
            try expect(status == nil, "a connection ended with a status: \(String(describing: status))")
        }
    }

    private func hasNoDiagnostics() async throws {
        try await withChannel { channel in
            let diagnostics = try await channel.diagnostics.collect(upTo: 1024)
            try expect(diagnostics.isEmpty, "a connection has \(diagnostics.count) bytes of standard error")
        }
    }

    private func saysThatNobodyListens() async throws {
        try await bounded(#function, by: deadline) {
            try await LoopbackPort.withRefusing { port in
                try await expect(.forwardingFailed, "opening a port on which nobody listens") {
                    _ = try await host.open(tcp: HostAddress("127.0.0.1", port: port))
                }
            }
        }
    }

    private func closesOnce() async throws {
        try await withChannel { channel in
            await channel.close()
            await channel.close()
            try await expect(.closed, "a write after close") { try await channel.write([65]) }
        }
    }

    private func forwardsAPort() async throws {
        try await withEcho { target in
            try await host.withForward(to: target) { forward in
                let local = try HostAddress("127.0.0.1", port: forward.port)
                let channel = try await LocalHostSession().open(tcp: local)
                do {
                    try await Self.expectEcho(of: Array("over the port".utf8), through: channel)
                } catch {
                    await channel.close()
                    throw error
                }
                await channel.close()
                try expect(forward.current.acceptedConnections == 1, "one connection was made, and not told")
            }
        }
    }

    private static func expectEcho(of bytes: [UInt8], through channel: any ByteChannel) async throws {
        async let sent: Void = {
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                try await channel.write(Array(bytes[start..<min(start + 100_000, bytes.count)]))
            }
            try await channel.finishWriting()
        }()
        let echo = try await channel.output.collect(upTo: bytes.count + 1)
        try await sent
        try expect(echo == bytes, "of \(bytes.count) bytes \(echo.count) came back, or others")
    }

    private func withEcho(
        named name: String = #function,
        _ body: @escaping @Sendable (HostAddress) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) { try await DialedServer.with(.echoes, body) }
    }

    private func withChannel(
        named name: String = #function,
        _ body: @escaping @Sendable (any ByteChannel) async throws -> Void
    ) async throws {
        try await withEcho(named: name) { target in
            let channel = try await host.open(tcp: target)
            do {
                try await body(channel)
            } catch {
                await channel.close()
                throw error
            }
            await channel.close()
        }
    }
}
