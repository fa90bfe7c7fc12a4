// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// The rules of `HostSession`, as checks that any implementation can run: its commands, and its files in a directory
/// that is made for the run below `directory` and removed after each check.
public struct HostSessionConformance: Sendable {
    let session: any HostSession
    let directory: String
    let deadline: Duration
    /// The time limit that a command is given that must not run out of time.
    var limit: Duration { deadline.patient }

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - session: The session to check.
    ///   - directory: An existing directory on the host, as an absolute path, in which the checks may work.
    ///   - deadline: What one check may take; a longer one is a failure.
    public init(_ session: any HostSession, in directory: String, deadline: Duration = .seconds(60)) {
        self.session = session
        self.directory = directory
        self.deadline = deadline
    }

    /// Every check of commands and channels, by name.
    public static let commandChecks: [ConformanceCheck<HostSessionConformance>] = [
        .init("runsACommand") { try await $0.runsACommand() },
        .init("tellsHowItEnded") { try await $0.tellsHowItEnded() },
        .init("givesInput") { try await $0.givesInput() },
        .init("answersACommandThatReadsNoInput") { try await $0.answersACommandThatReadsNoInput() },
        .init("limitsOutput") { try await $0.limitsOutput() },
        .init("endsACommandAtItsDeadline") { try await $0.endsACommandAtItsDeadline() },
        .init("endsACancelledCommand") { try await $0.endsACancelledCommand() },
        .init("runsManyAtOnce") { try await $0.runsManyAtOnce() },
        .init("opensChannels") { try await $0.opensChannels() },
    ]

    /// Every check of files, by name.
    public static let fileChecks: [ConformanceCheck<HostSessionConformance>] = [
        .init("writesAndReads") { try await $0.writesAndReads() },
        .init("readsRanges") { try await $0.readsRanges() },
        .init("tellsStatus") { try await $0.tellsStatus() },
        .init("keepsPermissions") { try await $0.keepsPermissions() },
        .init("lists") { try await $0.lists() },
        .init("takesAnyName") { try await $0.takesAnyName() },
        .init("renamesOver") { try await $0.renamesOver() },
        .init("removes") { try await $0.removes() },
        .init("makesDirectories") { try await $0.makesDirectories() },
        .init("tellsWhatIsMissing") { try await $0.tellsWhatIsMissing() },
        .init("replacesInOneStep") { try await $0.replacesInOneStep() },
        .init("leavesNothingAfterAFailedWrite") { try await $0.leavesNothingAfterAFailedWrite() },
    ]

    /// Every check of watches, by name.
    public static let watchChecks: [ConformanceCheck<HostSessionConformance>] = [
        .init("tellsFingerprints") { try await $0.tellsFingerprints() },
        .init("seesEveryKindOfChange") { try await $0.seesEveryKindOfChange() },
        .init("joinsChanges") { try await $0.joinsChanges() },
        .init("endsACancelledWatch") { try await $0.endsACancelledWatch() },
    ]

    /// Every check, by name. Those of links and of refused access need a host with a shell.
    public static let checks =
        commandChecks + fileChecks + watchChecks + [
            .init("followsLinks") { try await $0.followsLinks() },
            .init("tellsWhatIsRefused") { try await $0.tellsWhatIsRefused() },
        ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// Runs a body with a directory of its own, emptied and removed on every way out.
    func check(
        named name: String = #function,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) {
            let room = "\(directory)/riff-\(UInt32.random(in: .min ... .max))"
            try await session.makeDirectory(room, permissions: 0o700)
            do {
                try await body(room)
            } catch {
                // The first failure is the one to tell.
                try? await empty(room)
                throw error
            }
            try await empty(room)
        }
    }

    private func empty(_ path: String) async throws {
        for entry in try await session.list(path) {
            if entry.status.kind == .directory {
                try await empty("\(path)/\(entry.name)")
            } else {
                try await session.remove("\(path)/\(entry.name)")
            }
        }
        try await session.remove(path)
    }

    /// Runs a script, with the time that a check has.
    func run(_ script: String) async throws -> CommandResult { try await session.run(line(script), timeout: limit) }

    /// A script as a line for any login shell.
    func line(_ script: String) -> String { ConformanceProgram(name: "", script: script).commandLine }
}
