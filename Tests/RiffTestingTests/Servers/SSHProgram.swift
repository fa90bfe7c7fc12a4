// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting

/// OpenSSH's `ssh`, with a key of its own, as the client that tries a throwaway server.
struct SSHProgram: Sendable {
    let server: any ThrowawayServer
    let folder: String
    let publicKeyLine: String

    static func withServer(
        _ options: ThrowawaySSHServer.Options = .init(),
        _ body: (ThrowawaySSHServer, SSHProgram) async throws -> Void
    ) async throws {
        let server = try await ThrowawaySSHServer.start(options)
        try await with(server) { try await body(server, $0) }
    }

    static func with(_ server: any ThrowawayServer, _ body: (SSHProgram) async throws -> Void) async throws {
        // Not named after the port: another test may get the same one while this folder is being removed.
        let name = "riff-key-\(UInt32.random(in: 0...(.max)))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name).path()
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try await SystemProgram.run("ssh-keygen", ["-q", "-N", "", "-t", "ed25519", "-f", "\(folder)/key"])
            let line = try String(contentsOfFile: "\(folder)/key.pub", encoding: .utf8)
            try await body(SSHProgram(server: server, folder: folder, publicKeyLine: line))
        } catch {
            await server.stop()
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
        await server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// What a command wrote, standard error included.
    func run(_ command: String, pinning hostKey: String? = nil, more: [String] = []) async throws -> String {
        let arguments = try options(pinning: hostKey) + more + ["-p", "\(server.port)", server.host, command]
        return try await SystemProgram.run("ssh", arguments).output
    }

    func listWithSFTP(_ path: String) async throws -> String {
        let batch = "\(folder)/batch"
        try Data("ls \(path)\n".utf8).write(to: URL(filePath: batch))
        let arguments = try options() + ["-P", "\(server.port)", "-b", batch, server.host]
        return try await SystemProgram.run("sftp", arguments).output
    }

    private func options(pinning hostKey: String? = nil) throws -> [String] {
        var settings = ["BatchMode=yes", "IdentitiesOnly=yes", "PreferredAuthentications=publickey", "LogLevel=ERROR"]
        settings += [
            "GlobalKnownHostsFile=/dev/null", "UserKnownHostsFile=\(folder)/known_hosts", "User=\(server.user)",
        ]
        if let hostKey {
            let line = "[\(server.host)]:\(server.port) \(hostKey)\n"
            try Data(line.utf8).write(to: URL(filePath: "\(folder)/known_hosts"))
        }
        settings.append("StrictHostKeyChecking=\(hostKey == nil ? "accept-new" : "yes")")
        return ["-F", "none", "-i", "\(folder)/key"] + settings.flatMap { ["-o", $0] }
    }
}
