// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore

/// A real dropbear on 127.0.0.1: the second SSH server a client must get along with.
///
/// Dropbear (until 2024.84) reads authorized keys only from the home folder that the account database names. It
/// therefore runs in a mount namespace of its own, in which the account has a private, empty home folder; nothing of
/// the real one is read or written. That needs Linux and root.
public final class ThrowawayDropbear: ThrowawayServer {
    /// The behavior of a throwaway dropbear; see dropbear(8).
    public struct Options: Sendable {
        /// The type of its host key: `ed25519`, `ecdsa` or `rsa`.
        public var hostKeyType = "ed25519"
        /// `-c`: runs instead of what the client asked for.
        public var forceCommand: String?
        /// Whether passwords are offered (the account's is not ours to know); `false` is `-s`.
        public var allowsPasswords = false
        /// The account's login shell here, an absolute path that `/etc/shells` lists; `nil` keeps its own.
        public var shell: String?
        /// More arguments, such as `["-W", "65536"]` for the receive window.
        public var extraArguments: [String] = []
        /// The time limit for each start and stop.
        public var deadline: Duration = .seconds(30)

        /// One ed25519 host key, publickey only.
        public init() {}
    }

    /// The port to dial.
    public let port: Int
    /// The account to log in as.
    public let user: String

    private let options: Options
    private let supervisor: ServerSupervisor

    /// Whether this machine has the programs, and this process the right to make a mount namespace.
    public static func isAvailable() async -> Bool {
        guard SystemProgram.path("dropbear") != nil, SystemProgram.path("dropbearkey") != nil else { return false }
        return await MountNamespace.isPermitted()
    }

    /// Starts a server; it listens when this returns.
    ///
    /// - Parameter options: How it behaves.
    /// - Returns: The server.
    /// - Throws: ``TestingError``, with the server's log where it ended or said nothing.
    public static func start(_ options: Options = Options()) async throws -> ThrowawayDropbear {
        let account = try SystemAccount.current()
        return try await retryingPorts { port in
            let folder = try ServerFolder.make()
            do {
                let command = try await prepare(folder, port: port, options, account)
                let supervisor = try await ServerSupervisor(
                    "dropbear",
                    command: command,
                    port: port,
                    folder: folder,
                    isInOwnNamespace: true,
                    readiness: "Not backgrounding",
                    deadline: options.deadline
                )
                return ThrowawayDropbear(port: port, user: account.name, options: options, supervisor: supervisor)
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

    /// The account's home folder in the sessions of this server; removed by ``stop()``.
    public var home: String { Self.home(in: supervisor.folder) }
    /// Everything dropbear has written so far.
    public var log: String { supervisor.log.text }
    /// The number of lines of ``log``.
    public var logLineCount: Int { supervisor.log.lineCount }
    /// The host key's public half, without a comment.
    public var hostPublicKeyLine: String {
        get throws {
            let line = try String(contentsOfFile: "\(supervisor.folder)/host.pub", encoding: .utf8)
            return line.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
        }
    }

    /// Lets a key in, from the next authentication on.
    public func authorize(_ publicKeyLine: String) throws {
        try ServerFolder.append(publicKeyLine, to: "\(home)/.ssh/authorized_keys")
    }

    /// Lets no key in any more.
    public func revokeAll() throws { try ServerFolder.write("", to: "\(home)/.ssh/authorized_keys") }

    /// Suspends until the log has a line that contains a text; returns that line.
    @discardableResult
    public func waitForLog(containing text: String, after line: Int, within limit: Duration) async throws -> String {
        try await supervisor.log.line(containing: [text], from: line, of: "dropbear", within: limit)
    }

    /// Kills dropbear and all its connections.
    public func halt() async throws { try await supervisor.halt() }

    /// Starts it again on the same port, with the same host key or a new one.
    public func restart(replacingHostKeys: Bool) async throws {
        try await supervisor.halt()
        if replacingHostKeys { try await Self.makeHostKey(options.hostKeyType, in: supervisor.folder) }
        try await supervisor.start()
    }

    /// Kills dropbear and everything of it, and removes its folder.
    public func stop() async { await supervisor.stop() }

    // MARK: Preparing

    private static func home(in folder: String) -> String { "\(folder)/home" }

    private static func prepare(
        _ folder: String,
        port: Int,
        _ options: Options,
        _ account: SystemAccount
    ) async throws -> [String] {
        let keys = "\(home(in: folder))/.ssh"
        // Dropbear checks that the home folder, .ssh and the file are the account's alone.
        try FileManager.default.createDirectory(
            atPath: keys,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try ServerFolder.write("", to: "\(keys)/authorized_keys")
        try await makeHostKey(options.hostKeyType, in: folder)
        let accounts = try MountNamespace.accounts(
            with: account.name,
            home: home(in: folder),
            shell: options.shell ?? account.shell
        )
        try ServerFolder.write(accounts, to: "\(folder)/passwd", permissions: 0o644)
        // `-e` hands on dropbear's environment, which is emptied but for the mark that finds stray processes again,
        // and the folder of its own tmux servers.
        var command = [
            try SystemProgram.required("env"), "-i", "RIFF_THROWAWAY_SERVER=\(folder)", "TMUX_TMPDIR=\(folder)",
        ]
        command += ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", try SystemProgram.required("dropbear")]
        command += ["-F", "-E", "-e", "-r", "\(folder)/host", "-P", "\(folder)/pid", "-p", "127.0.0.1:\(port)"]
        if !options.allowsPasswords { command.append("-s") }
        if let forced = options.forceCommand { command += ["-c", forced] }
        return command + options.extraArguments
    }

    private static func makeHostKey(_ type: String, in folder: String) async throws {
        let path = "\(folder)/host"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        let output = try await SystemProgram.output(of: "dropbearkey", ["-t", type, "-f", path])
        guard let line = output.split(byte: "\n").first(where: { $0.contains(" AAAA") }) else {
            throw TestingError(.programFailed, "dropbearkey wrote no public key.")
        }
        try ServerFolder.write("\(line)\n", to: "\(path).pub")
    }
}
