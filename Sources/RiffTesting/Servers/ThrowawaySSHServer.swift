// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore

// sample: key: SSHPublicKey
/// A real OpenSSH `sshd` on 127.0.0.1, in a private folder.
///
/// ```swift
/// let server = try await ThrowawaySSHServer.start()
/// try server.authorize(key.line)
/// // dial server.host, server.port as server.user
/// await server.stop()
/// ```
public final class ThrowawaySSHServer: ThrowawayServer {
    /// The port to dial.
    public let port: Int
    /// The account to log in as: the one this process runs as.
    public let user: String

    private let options: Options
    private let supervisor: ServerSupervisor

    /// Whether this machine has the programs.
    public static var isInstalled: Bool { SystemProgram.path("sshd") != nil && SystemProgram.path("ssh-keygen") != nil }

    /// Whether ``Options/password`` can be given: it needs Linux, root, and the right to make a mount namespace.
    public static func canHavePassword() async -> Bool {
        guard isInstalled, SystemProgram.path("openssl") != nil else { return false }
        return await MountNamespace.isPermitted()
    }

    /// Whether ``Options/mountScript`` can be given.
    package static func canMount() async -> Bool { await MountNamespace.isPermitted() }

    /// Starts a server; it listens when this returns.
    ///
    /// - Parameter options: How it behaves.
    /// - Returns: The server.
    /// - Throws: ``TestingError``, with the server's log where it ended or said nothing.
    public static func start(_ options: Options = Options()) async throws -> ThrowawaySSHServer {
        let account = try SystemAccount.current()
        return try await retryingPorts { port in
            let folder = try ServerFolder.make()
            do {
                let command = try await prepare(folder, port: port, options, account)
                let supervisor = try await ServerSupervisor(
                    "sshd",
                    command: command,
                    port: port,
                    folder: folder,
                    isInOwnNamespace: options.password != nil || options.mountScript != nil,
                    readiness: "Server listening on",
                    deadline: options.deadline
                )
                return ThrowawaySSHServer(port: port, user: account.name, options: options, supervisor: supervisor)
            } catch {
                // Cleanup; gone already when the server had started.
                try? FileManager.default.removeItem(atPath: folder)
                throw error
            }
        }
    }

    private init(port: Int, user: String, options: Options, supervisor: ServerSupervisor) {
        self.port = port
        self.user = user
        self.options = options
        self.supervisor = supervisor
    }

    /// The address to dial.
    public var host: String { options.listenAddress }
    /// The server's private folder, for files of the test; removed by ``stop()``.
    public var folder: String { supervisor.folder }
    /// Everything sshd has written so far.
    public var log: String { supervisor.log.text }
    /// The number of lines of ``log``.
    public var logLineCount: Int { supervisor.log.lineCount }
    /// The first host key's public half, without a comment.
    public var hostPublicKeyLine: String {
        get throws { try hostPublicKeyLines().first ?? "" }
    }

    /// The public halves of all host keys, in the order of ``Options/hostKeyTypes``, without comments.
    public func hostPublicKeyLines() throws -> [String] {
        try options.hostKeyTypes.map { type in
            let line = try String(contentsOfFile: "\(folder)/host_\(type).pub", encoding: .utf8)
            return line.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
        }
    }

    /// Lets a key in, from the next authentication on.
    public func authorize(_ publicKeyLine: String) throws {
        try ServerFolder.append(publicKeyLine, to: "\(folder)/authorized_keys")
    }

    /// Lets no key in any more.
    public func revokeAll() throws { try ServerFolder.write("", to: "\(folder)/authorized_keys") }

    /// Suspends until the log has a line that contains a text; returns that line.
    @discardableResult
    public func waitForLog(containing text: String, after line: Int, within limit: Duration) async throws -> String {
        try await supervisor.log.line(containing: [text], from: line, of: "sshd", within: limit)
    }

    /// Kills sshd and all its connections.
    public func halt() async throws { try await supervisor.halt() }

    /// Starts it again on the same port, with the same host keys or new ones.
    public func restart(replacingHostKeys: Bool) async throws {
        try await supervisor.halt()
        if replacingHostKeys { try await Self.makeHostKeys(options.hostKeyTypes, in: folder) }
        try await supervisor.start()
    }

    /// Kills sshd and everything of it, and removes its folder.
    public func stop() async { await supervisor.stop() }

    // MARK: Preparing

    private static func prepare(
        _ folder: String,
        port: Int,
        _ options: Options,
        _ account: SystemAccount
    ) async throws -> [String] {
        try FileManager.default.createDirectory(atPath: "\(folder)/home", withIntermediateDirectories: false)
        let program = try SystemProgram.required("sshd")
        if account.isRoot {
            // Where sshd gives up its rights; packages make it at boot, which a container does not have.
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        try await makeHostKeys(options.hostKeyTypes, in: folder)
        try ServerFolder.write("", to: "\(folder)/authorized_keys")
        try ServerFolder.write(options.configuration(folder: folder), to: "\(folder)/sshd_config")
        if let password = options.password {
            let shadow = try await MountNamespace.shadow(with: account.name, password: password)
            try ServerFolder.write(shadow, to: "\(folder)/shadow")
            try ServerFolder.write(MountNamespace.pamService, to: "\(folder)/pam")
        }
        if let script = options.mountScript { try ServerFolder.write(script, to: "\(folder)/mounts") }
        if let shell = options.shell {
            let script = options.shellScript(
                try SystemProgram.required(shell),
                fileServer: SystemProgram.path("sftp-server")
            )
            try ServerFolder.write(script, to: "\(folder)/login-shell", permissions: 0o700)
        }
        return [program, "-D", "-e", "-f", "\(folder)/sshd_config", "-p", String(port)]
    }

    private static func makeHostKeys(_ types: [String], in folder: String) async throws {
        for type in types {
            let path = "\(folder)/host_\(type)"
            for old in [path, "\(path).pub"] where FileManager.default.fileExists(atPath: old) {
                try FileManager.default.removeItem(atPath: old)
            }
            _ = try await SystemProgram.output(of: "ssh-keygen", ["-q", "-N", "", "-C", "", "-t", type, "-f", path])
        }
    }
}

/// Runs `start` with one free port after another while another program is faster to take it.
func retryingPorts<Server>(_ start: (Int) async throws -> Server) async throws -> Server {
    var attempts = 5
    while true {
        do {
            return try await start(LoopbackPort.free())
        } catch let error as TestingError where error.message.contains("Address already in use") && attempts > 1 {
            attempts -= 1
        }
    }
}
