// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension HomeHealth {
    /// One thing that was looked at.
    public struct Finding: Sendable, Hashable, Identifiable {
        /// The things that are looked at.
        public enum Subject: String, Sendable, Hashable {
            /// The home's folder.
            case home
            /// The host's own `hermes`.
            case program
            /// The configuration of the agent.
            case config
            /// The sessions' database.
            case database
            /// The scheduled jobs.
            case cron
            /// The memory of the agent.
            case memory
        }

        /// The state of a subject.
        public enum State: Sendable, Hashable {
            /// As it should be.
            case well
            /// It works, and something should be looked at.
            case warning
            /// It does not work.
            case ill
        }

        /// The subject of the finding.
        public let id: Subject
        /// The state of the subject.
        public let state: State
        /// The finding in words.
        public let message: String
        /// The problem's code, where there is one.
        package let code: String?

        /// Creates a finding.
        package init(_ subject: Subject, _ state: State, _ message: String, code: String? = nil) {
            id = subject
            self.state = state
            self.message = message
            self.code = code
        }
    }
}

/// The health of a home: what works and what does not, each with its reason.
public struct HomeHealth: Sendable, Hashable {
    /// The findings, in the order in which the subjects were looked at.
    public let findings: [HomeHealth.Finding]

    /// The subjects whose state differs from the look before; of a ``HermesLive`` only.
    public private(set) var changed: Set<HomeHealth.Finding.Subject> = []

    /// Creates a health from its findings.
    package init(findings: [HomeHealth.Finding]) { self.findings = findings }

    /// With the subjects whose state differs from that of an older one.
    package func compared(with old: HomeHealth?) -> HomeHealth {
        let before = Dictionary((old?.findings ?? []).map { ($0.id, $0.state) }) { first, _ in first }
        let changes = findings.filter { finding in before[finding.id].map { $0 != finding.state } ?? false }
        var health = self
        health.changed = Set(changes.map(\.id))
        return health
    }

    /// The state of the whole home: the worst of the findings.
    public var state: HomeHealth.Finding.State {
        if findings.contains(where: { $0.state == .ill }) { return .ill }
        return findings.contains { $0.state == .warning } ? .warning : .well
    }

    /// The cause of a degraded connection, for ``HostPulse``; `nil` where everything works.
    public var cause: Problem? {
        findings.first { $0.state == .ill }.map { finding in
            Problem(code: finding.code ?? "data.\(finding.id.rawValue)", message: finding.message)
        }
    }
}

extension HermesHome {
    /// Looks at everything that the rest of this library needs. What cannot be read is a finding, with its reason; a
    /// host that does not answer is an error.
    ///
    /// - Throws: A lost or missing connection; `CancellationError`.
    public func health() async throws -> HomeHealth {
        guard try await host.status(of: path)?.kind == .directory else {
            let message = "There is no Hermes home at \(path)."
            return HomeHealth(findings: [HomeHealth.Finding(.home, .ill, message, code: "data.homeMissing")])
        }
        var findings = [HomeHealth.Finding(.home, .well, path)]
        var limits: HermesConfig?
        findings.append(
            try await finding(.program) {
                let version = try await hermes.run(["--version"]).text.split(whereSeparator: \.isNewline).first ?? ""
                return HomeHealth.Finding(.program, .well, String(version.prefix(100)))
            }
        )
        findings.append(
            try await finding(.config) {
                let config = try await config()
                limits = config
                guard config.revision != .absent else {
                    return HomeHealth.Finding(
                        .config,
                        .warning,
                        "There is no \(configFile.path); the agent uses its defaults."
                    )
                }
                return HomeHealth.Finding(
                    .config,
                    .well,
                    config.model.map { "The model is \($0)." } ?? "No model is set."
                )
            }
        )
        findings.append(
            try await finding(.database) {
                guard let status = try await host.status(of: "\(path)/state.db"), status.kind == .file else {
                    return HomeHealth.Finding(.database, .warning, "There are no sessions yet.")
                }
                // By a program: read here it would be opened in this process, and closing it would drop the locks that
                // SQLite holds on it for the process (POSIX, close(2)).
                let line = try LoginShellCommand(try ShellQuoting.join(["test", "-r", "\(path)/state.db"])).line
                let result = try await host.run(line)
                if result.exit == .exited(1) {
                    throw TransportError(
                        .permissionDenied,
                        "\(path)/state.db cannot be read: check that the account may read it."
                    )
                }
                if let failure = result.failure(of: "test", on: "the host") { throw failure }
                return HomeHealth.Finding(.database, .well, "\(status.sizeBytes) bytes of sessions.")
            }
        )
        findings.append(
            try await finding(.cron) {
                let jobs = try await cron.read().jobs
                let failed = jobs.filter { $0.isEnabled && $0.lastStatus == "error" }
                guard failed.isEmpty else {
                    let names = failed.map(\.name).joined(separator: ", ")
                    return HomeHealth.Finding(.cron, .warning, "The last run failed of: \(names)")
                }
                return HomeHealth.Finding(.cron, .well, "\(jobs.count) jobs.")
            }
        )
        findings.append(
            try await finding(.memory) {
                for name in [MemoryFile.Name.memory, .user] {
                    let memory = try await memory(name, limit: limits?.memoryLimit(of: name)).read().memory
                    guard memory.usage <= 1 else {
                        let message = "\(name.rawValue) has \(memory.count) characters of \(memory.limit)."
                        return HomeHealth.Finding(.memory, .warning, message)
                    }
                }
                return HomeHealth.Finding(.memory, .well, "Within its limits.")
            }
        )
        return HomeHealth(findings: findings)
    }

    private func finding(
        _ subject: HomeHealth.Finding.Subject,
        _ look: () async throws -> HomeHealth.Finding
    ) async throws -> HomeHealth.Finding {
        do {
            return try await look()
        } catch let error as DataError {
            return HomeHealth.Finding(subject, .ill, error.message, code: error.stableCode)
        } catch let error as TransportError where Self.isAboutTheHome(error.code) {
            return HomeHealth.Finding(subject, .ill, error.message, code: error.stableCode)
        }
    }

    /// Returns whether an error is one of a file or a program on a host that answers.
    private static func isAboutTheHome(_ code: TransportError.Code) -> Bool {
        let codes: [TransportError.Code] = [
            .fileNotFound, .fileFailed, .permissionDenied, .programNotFound, .programNotExecutable, .commandFailed,
            .commandKilled, .outputTooLarge, .noSpace, .readOnlyFileSystem, .outOfResources,
        ]
        return codes.contains(code)
    }
}
