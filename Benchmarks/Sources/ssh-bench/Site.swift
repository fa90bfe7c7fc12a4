// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A throw-away server and the files to reach it: an sshd on a loopback port with a host key of its own.
struct Site: Codable {
    let folder: String
    let port: Int
    let user: String

    /// The same on both sides, or the comparison would be one of ciphers.
    static let cipher = "aes128-ctr"
    static let mac = "hmac-sha2-256"

    var privateKey: String { folder + "/key" }
    var knownHosts: String { folder + "/known_hosts" }
    var file: String { folder + "/file" }
    var text: String { folder + "/text" }

    /// The command that prints the zeros of the bulk case.
    func bulkCommand(bytes: Int) -> String { "head -c \(bytes) /dev/zero" }
    /// The command that prints the text.
    var textCommand: String { "cat \(text)" }
    /// The command that says a byte and then echoes what comes.
    static let echoCommand = "stty raw -echo; printf '!'; exec cat"
    /// The command whose first byte is waited for, and that then idles.
    static let readyCommand = "printf '!'; exec sleep 600"
    static let floodCommand = "cat /dev/zero"

    /// Makes the files and starts the server. The caller ends the server and removes the folder.
    static func make(scale: Double, maxSessions: Int = 64) throws -> (site: Site, server: Child) {
        // /tmp: the path of a ControlMaster's socket must stay below 104 bytes.
        let folder = "/tmp/riff-bench.\(UInt32.random(in: .min ... .max))"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            let site = Site(folder: folder, port: try unusedPort(), user: NSUserName())
            for name in ["key", "host"] {
                let keygen = try Child(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)"])
                keygen.wait()
            }
            let host = try String(contentsOfFile: folder + "/host.pub", encoding: .utf8)
            try "[127.0.0.1]:\(site.port) \(host)".write(toFile: site.knownHosts, atomically: true, encoding: .utf8)
            try manager.copyItem(atPath: folder + "/key.pub", toPath: folder + "/authorized_keys")
            try site.writeFiles(scale: scale)
            let configuration = """
                Port \(site.port)
                ListenAddress 127.0.0.1
                HostKey \(folder)/host
                AuthorizedKeysFile \(folder)/authorized_keys
                PidFile none
                UsePAM no
                StrictModes no
                PermitRootLogin prohibit-password
                PasswordAuthentication no
                MaxStartups 100
                MaxSessions \(maxSessions)
                LogLevel ERROR
                Subsystem sftp internal-sftp

                """
            try configuration.write(toFile: folder + "/sshd_config", atomically: true, encoding: .utf8)
            let program =
                ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].first(where: manager.isExecutableFile) ?? "/sbin/sshd"
            let server = try Child([program, "-D", "-e", "-f", folder + "/sshd_config"])
            try site.waitUntilReachable()
            return (site, server)
        } catch {
            try? manager.removeItem(atPath: folder)  // the error is the one to tell
            throw error
        }
    }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    private func writeFiles(scale: Double) throws {
        // Not zeros: a file system may keep those as a hole.
        var pattern = [UInt8](repeating: 0, count: 1 << 20)
        for index in pattern.indices { pattern[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13) }
        try write(pattern, to: file, bytes: BenchCase.file.amount(scale: scale))

        var line = ""
        for index in 0..<2_000 {
            line +=
                "\u{1B}[38;5;\(index % 256)mline \(index)\u{1B}[0m of \u{1B}[1;38;2;\(index % 256);90;160mtext\u{1B}[0m\n"
        }
        try write(Array(line.utf8), to: text, bytes: BenchCase.text.amount(scale: scale))
    }

    private func write(_ pattern: [UInt8], to path: String, bytes: Int) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw BenchError("\(path) cannot be written") }
        var rest = bytes
        while rest > 0 {
            let chunk = pattern.prefix(rest)
            try handle.write(contentsOf: Data(chunk))
            rest -= chunk.count
        }
        try handle.close()
    }

    private func waitUntilReachable() throws {
        for _ in 0..<100 {
            let check = try Child(
                ["ssh", "-F", "none"] + OpenSSHClient.options(self) + ["true"],
                discardingErrors: true
            )
            check.closeInput()
            if check.drain() == 0, check.waitForStatus() == 0 { return }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw BenchError("the server on port \(port) does not answer")
    }
}
