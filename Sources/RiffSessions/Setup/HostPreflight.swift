// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// The run of a preflight.
struct HostPreflight {
    /// A check failed, and nothing more can be checked.
    struct Ended: Error {}

    private let host: any TerminalHost
    /// The host, where the way to it is Riff's own.
    private let ssh: SSHHost?
    private let progress: StateSource<HostReadiness>?
    private(set) var readiness: HostReadiness

    init(host: any TerminalHost, progress: StateSource<HostReadiness>?) {
        self.host = host
        self.progress = progress
        ssh = host as? SSHHost
        guard let ssh else {
            readiness = HostReadiness(HostCheck.Kind.onceConnected)
            return
        }
        var kinds = HostCheck.Kind.order
        if ssh.configuration.jump != nil { kinds.insert(.jumpHost, at: 1) }
        readiness = HostReadiness(kinds)
    }

    /// Checks the way to the host, and connects.
    mutating func connect() async throws {
        guard let ssh else { return }
        begin(.key)
        // All that can be said of the keys without the host.
        do { try ssh.configuration.checkCredentials() } catch { throw fail(.key, error) }
        if let jump = ssh.configuration.jump {
            begin(.jumpHost)
            do { try await jump.attempt() } catch { throw try failure(error) { _ in .jumpHost } }
        }
        begin(.network)
        do { try await ssh.link.attempt() } catch { throw try failure(error) { .failedDial(with: $0) } }
    }

    /// Asks the host itself.
    mutating func run(_ survey: HostSurvey, within limit: Duration) async throws {
        begin(.loginShell)
        let run: HostSurvey.Run
        do {
            let line = survey.command.line
            let result = try await host.run(line, input: [], outputLimit: 1 << 20, timeout: limit)
            run = .ended(output: result.output, diagnostics: result.diagnostics)
        } catch let error as TransportError where error.code == .outputTooLarge {
            run = .endless
            await ssh?.link.errandsEnded()
        } catch let error as TransportError where error.code == .timeout {
            // Either the shell keeps us waiting, or the host does not answer at all.
            guard await answers() else { throw fail(.loginShell, error) }
            run = .outOfTime(limit, shellAnswers: try await shellAnswers(within: limit))
            // Not left running on the host when the link is closed next.
            await ssh?.link.errandsEnded()
        } catch {
            throw try failure(error) { _ in .loginShell }
        }
        let name = ssh.map { "\($0.configuration.address)" } ?? host.name
        var findings = survey.findings(in: run, on: name, user: ssh?.configuration.user)
        if survey.isUnanswered(in: run), let problem = await sessionsLink(of: host).loginShellProblem() {
            findings = findings.map { $0.kind == .loginShell ? $0.failed(because: problem) : $0 }
        }
        for finding in findings {
            readiness.settle(finding.kind, as: finding.outcome, detail: finding.detail)
        }
        progress?.update(readiness)
    }

    /// Whether the host gives a sign of life.
    private func answers() async -> Bool {
        if let ssh { return await ssh.link.answers() }
        await host.foreground()
        return host.current.connection == .connected
    }

    /// Whether the login shell runs a command that cannot take long.
    private func shellAnswers(within limit: Duration) async throws -> Bool {
        let command = try ManagementCommand("true")
        do {
            let result = try await host.run(command.line, input: [], outputLimit: 1 << 20, timeout: limit)
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
