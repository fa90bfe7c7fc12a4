// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport
internal import RiffCore

// sample: host: SSHHost
/// A host's Hermes as one object: the way into the host, the home, and the presenters of everything in it.
///
/// ```swift
/// let server = try await HermesServer.locate(on: host, named: "my mac")
/// let running = Task { try await server.database.run() }
/// await server.database.sessions.show(HermesSession.Filter())
/// await server.jobs.show()
/// print(server.agentCommand)  // for a channel of the Agent Client Protocol
/// ```
///
/// The presenters are made once, and read nothing before they show something. Several front ends' views share them.
public final class HermesServer: Sendable {
    /// The way into the host.
    public let host: any HostSession
    /// The name of the host in messages.
    public let name: String
    /// The home: the agent's files, and its commands.
    public let home: HermesHome
    /// The database of sessions: its overview, its sessions, a search, a transcript, the calls of tools and the report.
    public let database: HermesLiveDatabase
    /// The configuration as it changes.
    public let config: HermesLive<Never, HermesConfig>
    /// The health of the home.
    public let health: HermesLive<Never, HomeHealth>
    /// The scheduled jobs.
    public let jobs: HermesLive<Never, [CronJob]>
    /// The skills as they change.
    public let skills: HermesLive<String, SkillFolder.Listing>
    /// The notes that the agent makes for itself.
    public let memory: HermesLive<Never, MemoryFile.Draft>
    /// The agent's notes on the person.
    public let user: HermesLive<Never, MemoryFile.Draft>
    /// The projects as they change.
    public let projects: HermesLive<ProjectRegistry.Filter, [ProjectRegistry.Group]>
    /// The command line that starts the agent for the Agent Client Protocol, for this home and this profile, in the
    /// login shell of the host.
    public let agentCommand: String

    /// Creates the object of a home.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - host: The way into the host that the home lies on.
    ///   - name: The name of the host in messages.
    ///   - clock: Measures the time between two looks at the database.
    /// - Throws: `CoreError` with `nulInArgument` for a path that no shell can be given.
    public init(
        _ home: HermesHome,
        on host: any HostSession,
        named name: String,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.home = home
        self.host = host
        self.name = name
        database = HermesLiveDatabase(clock: clock) { try await home.openDatabase(hostName: name) }
        config = home.liveConfig()
        health = home.liveHealth()
        jobs = home.liveJobs()
        skills = home.skills.live()
        memory = home.memory(.memory).live()
        user = home.memory(.user).live()
        projects = home.projects.live()
        agentCommand = try home.hermes.commandLine(["acp"], operands: [])
    }

    /// Finds the home of a host, as ``HermesHome/locate(on:profile:)`` does.
    ///
    /// - Parameters:
    ///   - host: The way into the host.
    ///   - name: The name of the host in messages.
    ///   - profile: The profile; `nil` takes the active one.
    /// - Returns: The object.
    /// - Throws: ``DataError`` with `homeMissing` or `profileMissing`; the host's own errors.
    public static func locate(
        on host: any HostSession,
        named name: String,
        profile: HermesProfileName? = nil
    ) async throws -> HermesServer {
        try HermesServer(try await HermesHome.locate(on: host, profile: profile), on: host, named: name)
    }
}
