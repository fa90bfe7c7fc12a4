// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import RiffCore

/// A real proxy on 127.0.0.1, which ends with ``stop()``.
package final class ThrowawayProxy: Sendable {
    /// The address on which it listens.
    package let address: HostAddress
    private let supervisor: ServerSupervisor

    /// Everything it has written so far.
    package var log: String { supervisor.log.text }

    private init(_ address: HostAddress, _ supervisor: ServerSupervisor) {
        self.address = address
        self.supervisor = supervisor
    }

    /// Whether this machine has the programs.
    package static var isInstalled: Bool {
        ["ssh", "microsocks", "tinyproxy", "nc"].allSatisfy { SystemProgram.path($0) != nil }
    }

    /// `microsocks`: SOCKS 5, with a user and a password or without.
    package static func socks(user: String? = nil, password: String = "") async throws -> ThrowawayProxy {
        let program = try SystemProgram.required("microsocks")
        let netcat = try SystemProgram.required("nc")
        let login = user.map { " -u \($0) -P \(password)" } ?? ""
        return try await start("microsocks", readiness: "riff: listening") { port, _ in
            // It does not say when it listens.
            let script =
                "\(program) -i 127.0.0.1 -p \(port)\(login) & "
                + "until \(netcat) -z 127.0.0.1 \(port); do kill -0 $! || exit 1; sleep 0.02; done; "
                + "echo riff: listening; wait $!"
            return ["/bin/sh", "-c", script]
        }
    }

    /// `tinyproxy`: HTTP with CONNECT, with a user and a password or without.
    ///
    /// - Parameters:
    ///   - user: The user; `nil` for a proxy that lets everybody in.
    ///   - password: The user's password.
    ///   - ports: The only ports that it connects to, where it has such.
    /// - Returns: The proxy, which listens.
    /// - Throws: ``TestingError``.
    package static func http(
        user: String? = nil,
        password: String = "",
        onlyTo ports: [Int] = []
    ) async throws -> ThrowawayProxy {
        let program = try SystemProgram.required("tinyproxy")
        return try await start("tinyproxy", readiness: "Starting main loop") { port, folder in
            var lines = ["Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 100", "LogLevel Info"]
            if let user { lines.append("BasicAuth \(user) \(password)") }
            lines += ports.map { "ConnectPort \($0)" }
            let file = "\(folder)/tinyproxy.conf"
            try ServerFolder.write(lines.joined(separator: "\n") + "\n", to: file)
            return [program, "-d", "-c", file]
        }
    }

    /// `ssh -D`: SOCKS 4, 4a and 5 through a throwaway server that lets the key in.
    package static func ssh(through server: any ThrowawayServer, key: SSHPrivateKey) async throws -> ThrowawayProxy {
        let program = try SystemProgram.required("ssh")
        return try await start("ssh -D", readiness: "Entering interactive session") { port, folder in
            let file = "\(folder)/key"
            try ServerFolder.write(String(decoding: key.pem.bytes, as: UTF8.self), to: file)
            return [
                program, "-N", "-v", "-F", "/dev/null", "-D", "127.0.0.1:\(port)", "-i", file, "-o", "BatchMode=yes",
                "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "ExitOnForwardFailure=yes", "-p", "\(server.port)", "\(server.user)@\(server.host)",
            ]
        }
    }

    /// Kills it with all its connections, and removes its folder.
    package func stop() async { await supervisor.stop() }

    private static func start(
        _ name: String,
        readiness: String,
        command: (_ port: Int, _ folder: String) throws -> [String]
    ) async throws -> ThrowawayProxy {
        try await retryingPorts { port in
            let folder = try ServerFolder.make()
            do {
                let supervisor = try await ServerSupervisor(
                    name,
                    command: try command(port, folder),
                    port: port,
                    folder: folder,
                    readiness: readiness,
                    deadline: .seconds(20).patient
                )
                return ThrowawayProxy(try HostAddress("127.0.0.1", port: port), supervisor)
            } catch {
                // Cleanup; gone already when the proxy had started.
                try? FileManager.default.removeItem(atPath: folder)
                throw error
            }
        }
    }
}
