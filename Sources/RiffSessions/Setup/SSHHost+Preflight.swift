// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension SSHHost {
    /// Checks all that sessions on this host need, one after another, and says of each missing thing what it is and
    /// what can be done about it.
    ///
    /// It connects where there is no connection, and leaves it open for the session that follows. Nothing is changed on
    /// the host: tmux sessions are listed, none is made.
    ///
    /// - Parameters:
    ///   - harness: What sessions will run.
    ///   - server: The tmux server that they will run on.
    ///   - timeout: How long the login shell may take; a shell that takes longer is ended on the host.
    ///   - progress: Told of each step; give its `updates()` to a view.
    /// - Returns: The checks. A host that cannot be used is an answer, not an error.
    /// - Throws: `CancellationError`; `CoreError` with `nulInArgument` for a harness that no shell could be given.
    public func preflight(
        harness: Harness = .claude,
        server: TmuxServer = TmuxServer(),
        timeout: Duration = ManagementTiming.defaultTimeout,
        progress: StateSource<HostReadiness>? = nil
    ) async throws -> HostReadiness {
        let survey = try HostSurvey(harness: harness, server: server)
        var preflight = HostPreflight(host: self, progress: progress)
        do {
            try preflight.checkKey()
            try await preflight.connect()
            try await preflight.run(survey, within: timeout)
        } catch is HostPreflight.Ended {
            // The failed check says why.
        }
        return preflight.readiness
    }
}

/// The run of a preflight.
private struct HostPreflight {
    /// A check failed, and nothing more can be checked.
    struct Ended: Error {}

    let host: SSHHost
    let progress: StateSource<HostReadiness>?
    var readiness: HostReadiness

    init(host: SSHHost, progress: StateSource<HostReadiness>?) {
        self.host = host
        self.progress = progress
        var kinds = HostCheck.Kind.order
        if host.configuration.jump != nil { kinds.insert(.jumpHost, at: 1) }
        readiness = HostReadiness(kinds)
    }

    /// What can be said of the keys without the host.
    mutating func checkKey() throws {
        begin(.key)
        do { try host.configuration.checkCredentials() } catch { throw fail(.key, error) }
    }

    mutating func connect() async throws {
        if let jump = host.configuration.jump {
            begin(.jumpHost)
            do { try await jump.attempt() } catch { throw try failure(error) { _ in .jumpHost } }
        }
        begin(.network)
        do { try await host.link.attempt() } catch { throw try failure(error) { .failedDial(with: $0) } }
    }

    mutating func run(_ survey: HostSurvey, within limit: Duration) async throws {
        begin(.loginShell)
        let run: HostSurvey.Run
        do {
            let line = survey.command.line
            let result = try await host.files.run(line, input: [], outputLimit: 1 << 20, timeout: limit)
            run = .ended(output: result.output, diagnostics: result.diagnostics)
        } catch let error as TransportError where error.code == .outputTooLarge {
            run = .endless
            await host.link.errandsEnded()
        } catch let error as TransportError where error.code == .timeout {
            // Either the shell keeps us waiting, or the host does not answer at all.
            guard await host.link.answers() else { throw fail(.loginShell, error) }
            run = .outOfTime(limit, shellAnswers: try await shellAnswers(within: limit))
            // Not left running on the host when the link is closed next.
            await host.link.errandsEnded()
        } catch {
            throw try failure(error) { _ in .loginShell }
        }
        let configuration = host.configuration
        for finding in survey.findings(in: run, on: "\(configuration.address)", user: configuration.user) {
            readiness.settle(finding.kind, as: finding.outcome, detail: finding.detail)
        }
        progress?.update(readiness)
    }

    /// Whether the login shell runs a command that cannot take long.
    private func shellAnswers(within limit: Duration) async throws -> Bool {
        let command = try ManagementCommand("true")
        do {
            let result = try await host.files.run(command.line, input: [], outputLimit: 1 << 20, timeout: limit)
            var parser = ManagementOutputParser(command)
            parser.feed(result.output)
            return parser.isComplete
        } catch is TransportError {
            return false
        }
    }

    private mutating func begin(_ kind: HostCheck.Kind) {
        readiness.begin(kind)
        progress?.update(readiness)
    }

    /// An error that ends the preflight: a failed check where it is one for a person, itself where it is not.
    private mutating func failure(
        _ error: any Error,
        of kind: (any RiffError) -> HostCheck.Kind
    ) throws -> Ended {
        if error is CancellationError { throw error }
        let problem = error.asRiffError
        return fail(kind(problem), problem)
    }

    private mutating func fail(_ kind: HostCheck.Kind, _ problem: any RiffError) -> Ended {
        readiness.settle(kind, as: .failed(problem))
        progress?.update(readiness)
        return Ended()
    }
}

extension HostCheck.Kind {
    /// The check that a dial which ended with this error did not pass; those before it, it did.
    ///
    /// - Parameter error: The error of ``SSHHost/connect()``.
    /// - Returns: The check.
    package static func failedDial(with error: any RiffError) -> HostCheck.Kind {
        // RiffCore's own errors in a dial are the host key's verdict, and a store of host keys that cannot be used.
        guard let error = error as? TransportError else { return error is CoreError ? .hostKey : .authorization }
        switch error.code {
        case .hostNotFound, .connectionRefused, .unreachable: return .network
        case .notAuthorized, .noUsableCredential, .keyUnusable: return .authorization
        default: return .server
        }
    }
}
