// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// Runs an agent's commands on a host: this machine, or the one on which the agent runs.
///
/// A command has no terminal; its standard output and error are one text. Its environment is the account's, with what
/// the agent adds. Everything that still runs is ended by ``close()``.
public actor ACPHostTerminals: ACPTerminals {
    private let host: any HostSession
    private let directory: String
    private let terminalLimit: Int
    private let standardByteLimit: Int
    private var terminals: [ACP.TerminalID: ACPHostTerminal] = [:]
    private var isClosed = false

    /// Terminals on a host.
    ///
    /// - Parameters:
    ///   - host: Where commands run.
    ///   - directory: Where they start when the agent does not say: an absolute path.
    ///   - terminalLimit: How many may be open at once.
    ///   - outputByteLimit: How much output is kept of each where the agent sets no limit, and the most it may set.
    public init(
        on host: any HostSession,
        directory: String,
        terminalLimit: Int = 32,
        outputByteLimit: Int = 4 * 1024 * 1024
    ) {
        self.host = host
        self.directory = directory
        self.terminalLimit = terminalLimit
        standardByteLimit = outputByteLimit
    }

    /// Starts a command and returns at once. A whole shell line without arguments is run by `sh`.
    public func create(_ request: ACP.CreateTerminalRequest) async throws -> ACP.CreateTerminalResponse {
        guard !isClosed else { throw ACP.RPCError.internalError("No more commands are run.") }
        guard terminals.count < terminalLimit else {
            throw ACP.RPCError.internalError("\(terminalLimit) terminals are open; release one first.")
        }
        let line = try Self.line(request, standardDirectory: directory)
        let channel = try await host.openChannel(line)
        let limit = min(request.outputByteLimit.map { Int(clamping: $0) } ?? standardByteLimit, standardByteLimit)
        let id = ACP.TerminalID(rawValue: RiffIdentifier.random().text)
        let terminal = ACPHostTerminal(channel, limit: limit)
        guard !isClosed else {
            await terminal.close()
            throw ACP.RPCError.internalError("No more commands are run.")
        }
        terminals[id] = terminal
        return ACP.CreateTerminalResponse(terminalID: id)
    }

    /// Returns the output of the command so far, its beginning cut off at the limit; and the way it ended if it did.
    public func output(_ request: ACP.TerminalOutputRequest) async throws -> ACP.TerminalOutputResponse {
        try terminal(request.terminalID).output
    }

    /// Waits for the command's end.
    public func waitForExit(_ request: ACP.WaitForTerminalExitRequest) async throws -> ACP.WaitForTerminalExitResponse {
        let status = try await terminal(request.terminalID).exit()
        return ACP.WaitForTerminalExitResponse(exitCode: status.exitCode, signal: status.signal)
    }

    /// Ends the command; its output stays.
    public func kill(_ request: ACP.KillTerminalRequest) async throws -> ACP.KillTerminalResponse {
        try await terminal(request.terminalID).close()
        return ACP.KillTerminalResponse()
    }

    /// Ends the command if it runs, and forgets it.
    public func release(_ request: ACP.ReleaseTerminalRequest) async throws -> ACP.ReleaseTerminalResponse {
        let terminal = try terminal(request.terminalID)
        terminals[request.terminalID] = nil
        await terminal.close()
        return ACP.ReleaseTerminalResponse()
    }

    /// Ends everything that runs, for good.
    public func close() async {
        isClosed = true
        let open = terminals.values
        terminals = [:]
        for terminal in open { await terminal.close() }
    }

    private func terminal(_ id: ACP.TerminalID) throws -> ACPHostTerminal {
        guard let terminal = terminals[id] else {
            throw ACP.RPCError.resourceNotFound("terminal \(InertText.line(id.rawValue))")
        }
        return terminal
    }

    private static func line(_ request: ACP.CreateTerminalRequest, standardDirectory: String) throws -> String {
        let directory = request.cwd ?? standardDirectory
        guard directory.hasPrefix(bytes: "/") else { throw ACP.RPCError.invalidParams("cwd is not an absolute path") }
        // Both outputs are one text, as on a terminal. sh, since the login shell may be one without `2>&1`.
        let words = try Self.words(request)
        let script = "cd \(try ShellQuoting.quote(directory)) && exec \(try ShellQuoting.join(words)) 2>&1"
        return "exec sh -c \(try ShellQuoting.quote(script))"
    }

    /// The command as words for `exec`: nothing that the agent says can become an option or an assignment of `env`.
    private static func words(_ request: ACP.CreateTerminalRequest) throws -> [String] {
        guard ProgramWords.isProgram(request.command) else {
            throw ACP.RPCError.invalidParams("the command is empty or begins with a dash")
        }
        for variable in request.env where !ProgramWords.isVariable(variable.name) {
            throw ACP.RPCError.invalidParams("a variable's name is empty, begins with a dash or has an equals sign")
        }
        var words = [request.command] + request.args
        if request.args.isEmpty, ProgramWords.isShellLine(request.command) {
            // Many agents send a whole line. A program whose own path has a space in it is still that program.
            words = ["sh", "-c", "command -v \"$1\" >/dev/null 2>&1 && exec \"$1\"; exec sh -c \"$1\"", "sh"] + words
        }
        return ProgramWords.setting(request.env.map { ($0.name, $0.value) }, for: words)
    }
}
