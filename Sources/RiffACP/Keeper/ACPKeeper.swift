// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: SSHHost, conversation: ACPConversation
/// Agents that outlive the connection to their host: each runs in a tmux session of its own, under a script that keeps
/// what it writes until a client has read it.
///
/// ```swift
/// let keeper = ACPKeeper(on: host)
/// try await withACPClient(keeper.agent("notes", ["hermes", "acp"]), handlers: conversation.handlers) { client in
///     let session = try await client.newSession(in: "/home/me/project")
///     _ = try await client.prompt("Go on", in: session.sessionID)
/// }
/// ```
///
/// When the body returns, the agent goes on; the next client finds it as it was, without a handshake, its questions
/// still open. Several may be attached at once: all get every update, and the first answer to a question counts.
public struct ACPKeeper: Sendable {
    private let host: any HostSession
    private let clock: any Clock<Duration>

    /// The keeper of a host; nothing is asked or changed there yet.
    ///
    /// - Parameters:
    ///   - host: Where agents run: over SSH, or on this machine.
    ///   - clock: Measures the pauses between attempts to attach.
    public init(on host: any HostSession, clock: any Clock<Duration> = ContinuousClock()) {
        self.host = host
        self.clock = clock
    }

    /// Whether a host can keep agents.
    public struct Capability: Sendable, Hashable {
        /// The programs that it lacks, tmux first among those that are looked for.
        public let missingPrograms: [String]
        /// Whether it can. Where not, an agent ends with its connection
        /// (``ACPAgentSource/command(_:on:directory:environment:)``).
        public var isAvailable: Bool { missingPrograms.isEmpty }
    }

    /// Asks the host whether it can keep agents.
    ///
    /// - Throws: A ``RiffError`` that says why the host could not be asked; `CancellationError`.
    public func capability() async throws -> Capability {
        let result = try await host.run(try KeeperScript.missingTools())
        return Capability(missingPrograms: result.text.byteLines.map(String.init))
    }

    /// An agent of this name: started where none runs, and attached to.
    ///
    /// - Parameters:
    ///   - name: Its name on the host: ASCII letters, digits, `-` and `_`.
    ///   - command: The program and its arguments; each arrives as it is.
    ///   - directory: Where it starts; the home directory without one.
    ///   - environment: Variables to set for it.
    ///   - position: The last ``ACPKeptChannel/position`` that this front end saw; `nil` begins with the oldest line.
    /// - Returns: The source, for ``withACPClient(_:configuration:handlers:_:)``.
    public func agent(
        _ name: String,
        _ command: [String],
        directory: String? = nil,
        environment: [String: String] = [:],
        from position: UInt64? = nil
    ) -> ACPAgentSource {
        ACPAgentSource(command.first ?? name) {
            try await start(name, command, directory: directory, environment: environment)
            return try await attach(to: name, from: position)
        }
    }

    /// Starts an agent where none of this name runs; one that has ended makes room.
    ///
    /// - Parameters:
    ///   - name: Its name on the host: ASCII letters, digits, `-` and `_`.
    ///   - command: The program and its arguments; each arrives as it is.
    ///   - directory: Where it starts; the home directory without one.
    ///   - environment: Variables to set for it.
    ///   - keptBytes: How much of what it writes is kept for clients that are away, about.
    /// - Throws: ``ACPError`` with `keeperUnavailable` where the host lacks a program, `notStarted`,
    ///   `invalidParameter`; what broke the connection; `CancellationError`.
    public func start(
        _ name: String,
        _ command: [String],
        directory: String? = nil,
        environment: [String: String] = [:],
        keptBytes: Int = 64 * 1024 * 1024
    ) async throws {
        let line = try ACPAgentSource.line(command, directory: directory, environment: environment)
        let result = try await host.run(
            try KeeperScript.start(Self.checked(name), keptBytes: max(keptBytes, 64 * 1024), line: line),
            input: Array(KeeperScript.text.utf8),
            outputLimit: 64 * 1024,
            timeout: .seconds(60)
        )
        let words = InertText.line(String(result.diagnosticText.suffix(500)))
        switch result.exit {
        case .exited(0): return
        case .exited(4):
            let message = "Agents cannot be kept on this host: it has no \(words)."
            throw ACPError(.keeperUnavailable, message, recovery: .installProgram(words))
        default:
            throw ACPError(.notStarted, "\(name) was not started on its host. It wrote: \(words)", recovery: .retry)
        }
    }

    /// Attaches to an agent that was started.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - position: Where to go on: ``ACPKeptChannel/position`` of an earlier channel to it. `nil` begins with the
    ///     oldest line that is kept.
    ///   - lineLimit: The most bytes of one line.
    /// - Returns: The channel, for ``ACPAgentSource/channel(_:name:)``.
    /// - Throws: ``ACPError`` with `agentExited` where there is none, `linesLost` where the position is not kept any
    ///   more; what broke the connection; `CancellationError`.
    public func attach(
        to name: String,
        from position: UInt64? = nil,
        lineLimit: Int = 64 * 1024 * 1024
    ) async throws -> ACPKeptChannel {
        let channel = ACPKeptChannel(
            try Self.checked(name),
            on: host,
            from: position,
            lineLimit: lineLimit,
            clock: clock
        )
        do { try await channel.attachFirst() } catch {
            await channel.close()
            throw error
        }
        return channel
    }

    /// An agent on a host.
    public struct Agent: Sendable, Hashable {
        /// Its name there.
        public let name: String
        /// Whether it runs. One that has ended is kept, with its last words, until it is started anew or ended.
        public let isRunning: Bool
    }

    /// The agents that are kept on the host, by name.
    public func agents() async throws -> [Agent] {
        let result = try await host.run(try KeeperScript.list())
        return result.text.byteLines.compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first.map { Agent(name: String($0), isRunning: words.dropFirst().first == "running") }
        }
    }

    /// Ends an agent and removes what was kept of it: its input is closed, and what does not end by itself is
    /// terminated after two seconds, and killed after two more. None of this name is no error.
    public func end(_ name: String) async throws {
        let result = try await host.run(try KeeperScript.end(Self.checked(name)), timeout: .seconds(60))
        guard result.exit != .exited(0), result.exit != .exited(3) else { return }
        let words = InertText.line(String(result.diagnosticText.suffix(500)))
        throw ACPError(.notEnded, "\(name) was not ended on its host. It wrote: \(words)", recovery: .retry)
    }

    private static func checked(_ name: String) throws(ACPError) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= 64 else {
            let message =
                "\(InertText.line(name)) is no name for a kept agent: give it up to 64 letters, digits, - and _."
            throw ACPError(.invalidParameter, message)
        }
        return name
    }
}

extension ACPErrorCode {
    /// The host lacks what keeping an agent needs.
    public static let keeperUnavailable = ACPError.Code(rawValue: "keeperUnavailable")
    /// A kept agent could not be ended.
    public static let notEnded = ACPError.Code(rawValue: "notEnded")
}
