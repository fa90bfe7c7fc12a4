// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix

/// Loopback ports on which connecting goes wrong in a known way.
public enum LoopbackPort {
    /// A port that neither accepts nor refuses: its listener's queue is full, so that a connection attempt hangs, as it
    /// does towards a host behind a network that is not up.
    ///
    /// - Parameters:
    ///   - host: The loopback address, `127.0.0.1` or `::1`.
    ///   - body: Called with the port.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or what kept the listener from listening.
    public static func withFullBacklog<Value>(
        on host: String = "127.0.0.1",
        _ body: (Int) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: host, port: 0).get()
        let port = listener.localAddress?.port ?? 0
        var open: [any Channel] = [listener]
        // The kernel takes one or two more than the backlog says; the first that hangs shows that it is full.
        for _ in 0..<16 {
            do {
                let client = ClientBootstrap(group: group).connectTimeout(.milliseconds(500))
                open.append(try await client.connect(host: host, port: port).get())
            } catch {
                break
            }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(port)) } catch { result = .failure(error) }
        for channel in open {
            // Closing what the peer closed already is no failure.
            try? await channel.close().get()
        }
        return try result.get()
    }

    /// Runs a body with a port that refuses connections: it is bound, so that no other program is given it, and nothing
    /// listens there.
    ///
    /// - Parameter body: Called with the port.
    /// - Returns: What `body` returned.
    /// - Throws: ``TestingError`` with `portUnavailable`, or what `body` threw.
    public static func withRefusing<Value>(_ body: (Int) async throws -> Value) async throws -> Value {
        let held = try HeldPort()
        let result = try await body(held.number)
        withExtendedLifetime(held) {}
        return result
    }

    /// A port that was free a moment ago, for a program that must be told one. Somebody else may take it at any time,
    /// so that whoever asks tries again.
    static func free() throws -> Int { try HeldPort().number }
}

extension TestingErrorCode {
    /// No port could be opened on the loopback interface.
    public static let portUnavailable = TestingError.Code(rawValue: "portUnavailable")
}
