// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTransport

/// An sshd on a loopback port with keys of its own.
final class LoopbackServer {
    let folder: String
    private let port: Int
    private let key = SSHPrivateKey.makeEd25519(comment: "bench")
    private let pins = InMemoryHostKeyStore()
    private let server = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "riff-hermes-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        port = Int.random(in: 40_000..<60_000)
        let keygen = Process()
        keygen.executableURL = URL(filePath: "/usr/bin/env")
        keygen.arguments = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/host"]
        try keygen.run()
        keygen.waitUntilExit()
        try (key.publicKey?.line ?? "").write(toFile: "\(folder)/authorized_keys", atomically: true, encoding: .utf8)
        let configuration = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder)/host
            AuthorizedKeysFile \(folder)/authorized_keys
            PidFile none
            UsePAM no
            StrictModes no
            PermitRootLogin yes
            MaxStartups 100
            LogEntry.Level ERROR
            Subsystem sftp internal-sftp

            """
        try configuration.write(toFile: "\(folder)/sshd_config", atomically: true, encoding: .utf8)
        let programs = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"]
        let program = programs.first { FileManager.default.isExecutableFile(atPath: $0) }
        server.executableURL = URL(filePath: program ?? "/usr/sbin/sshd")
        server.arguments = ["-D", "-e", "-f", "\(folder)/sshd_config"]
        try server.run()
        Thread.sleep(forTimeInterval: 1)
    }

    func host() throws -> SSHHost {
        try SSHHost("127.0.0.1", port: port, user: NSUserName(), key: key, trust: .firstUse(pins))
    }

    func stop() {
        server.terminate()
        server.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)  // Cleanup.
    }
}
