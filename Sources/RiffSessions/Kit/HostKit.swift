// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: SSHHost, userAgrees: Bool
/// The one folder on a host that holds everything Riff keeps there: scripts, hooks, taps. It is versioned, agreed to
/// once, listed, brought up to date, and removed to the byte.
///
/// ```swift
/// let kit = HostKit(on: host)
/// let plan = try await kit.plan()
/// print(plan.steps)
/// if userAgrees { _ = try await kit.install(plan.consent()) }
/// ```
///
/// The folder is `$XDG_DATA_HOME/riff/kit`, or `~/.local/share/riff/kit`. No file of the user's is opened for writing:
/// `settings.json` and `config.toml` stay as they are. It needs nothing but a POSIX shell and the usual programs.
/// Several clients may install at once; a part's newer version stays, whoever put it there.
public struct HostKit: Sendable {
    /// All parts that this library brings.
    public static let standardParts = HostKitPart.worktrees + [.hook, .claudeSettings, .tap, .kit]

    private let host: any HostSession
    private let parts: [HostKitPart]
    private let name: String

    /// Creates the kit of a host; nothing is asked or changed there yet.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - parts: The files that it is to hold; an app that keeps agents adds the keeper's.
    public init(on host: any HostSession, parts: [HostKitPart] = HostKit.standardParts) {
        self.host = host
        self.parts = parts
        name = (host as? any TerminalHost)?.name ?? "the host"
    }

    /// Asks how the kit is on the host: one round trip, and nothing is written.
    ///
    /// - Returns: The status.
    /// - Throws: ``KitError`` with `failed` if the answer cannot be read; why the host could not be asked;
    ///   `CancellationError`.
    public func status() async throws -> HostKitStatus { try read(try await run(["status"], KitScript.program)) }

    /// Asks what installing, or bringing up to date, would do: one round trip, and nothing is written.
    ///
    /// - Returns: The plan, for the user to agree to.
    /// - Throws: As ``status()``.
    public func plan() async throws -> HostKitPlan { try HostKitPlan(parts, on: try await status(), host: name) }

    /// Installs the parts, or brings them up to date: one round trip. Doing so again changes nothing. An installation
    /// that was cut off is completed.
    ///
    /// - Parameter consent: The user's agreement. For parts that it does not name, and for another folder, nothing is
    ///   written.
    /// - Returns: The kit as it is then.
    /// - Throws: ``KitError`` with `consentMissing`, `folderChanged`, `newerKit`, `foreignFolder`, `notWritable` or
    ///   `busy`: nothing was changed then, except that parts that were whole before an error of the disk stay; why the
    ///   host could not be asked; `CancellationError`.
    public func install(_ consent: HostKitConsent) async throws -> HostKitStatus {
        guard parts.allSatisfy({ consent.parts.contains($0.name) }) else {
            let message = "More would be put on \(name) than was agreed to. Show the plan again."
            throw KitError(.consentMissing, message)
        }
        let specs = parts.map { "\($0.name):\($0.version):\($0.mode):\($0.file)" }
        let program = try KitScript.program(installing: parts, in: consent.folder)
        return try read(try await run(["install", consent.folder] + specs, program))
    }

    /// Removes everything that was installed, what the scripts noted, and the folders that were made for it if they are
    /// empty: one round trip. Without a kit it changes nothing. Agents that run with its hooks go on.
    ///
    /// - Returns: Files that stay in the folder because they are not Riff's, at most twenty.
    /// - Throws: ``KitError`` with `newerKit`, `foreignFolder`, `inUse` or `busy`; why the host could not be
    ///   asked; `CancellationError`.
    public func remove() async throws -> [String] {
        try await run(["remove"], KitScript.program).byteLines.compactMap { line in
            line.hasPrefix(bytes: "kept ") ? String(line.dropFirst(5)) : nil
        }
    }

    /// Removes the scripts that Riffs without a kit put into `~/.local/bin` and `~/.local/state/riff`, which
    /// ``HostKitStatus/earlierScripts`` lists. Older front ends put them there again when they need them.
    ///
    /// - Throws: Why the host could not be asked; `CancellationError`.
    public func removeEarlierScripts() async throws { _ = try await run(["remove-earlier"], KitScript.program) }

    private func run(_ arguments: [String], _ program: [UInt8]) async throws -> String {
        let report = await host.report(of: try KitScript.line(arguments), input: program, timeout: .seconds(60))
        try Task.checkCancellation()
        let (output, status) = try report.outcome.get(host: name)
        let words = InertText.line(String(report.diagnostics.prefix(500)))
        switch status {
        case 0: return String(decoding: output, as: UTF8.self)
        case 20:
            let message =
                "On \(name) the kit belongs into \(words), and not where it was agreed on. Show the plan again."
            throw KitError(.folderChanged, message)
        case 21: throw KitError.newer(words, host: name)
        case 22: throw KitError.foreign(words, host: name)
        case 23: throw KitError.unwritable(words, host: name)
        case 24: throw KitError(.busy, "On \(name), \(words). Try again.", recovery: .retry)
        case 25:
            throw KitError(.inUse, "The agent \(words) still runs on \(name), and needs the kit. End it first.")
        default: throw failed("status \(status): \(words)")
        }
    }

    private func read(_ output: String) throws(KitError) -> HostKitStatus {
        guard let status = HostKitStatus(output: output) else { throw failed("an answer that cannot be read") }
        return status
    }

    private func failed(_ words: String) -> KitError {
        KitError(.failed, "The kit on \(name) could not be looked after: \(words)", recovery: .retry)
    }
}
