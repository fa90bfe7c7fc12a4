// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// Tests hosts over SSH with a ``SSHHost/preflight(harness:server:timeout:progress:)``, on a connection of its own.
public struct SSHHostTester: HostTester {
    private let profiles: HostProfiles
    private let trust: HostTrust
    private let server: TmuxServer
    private let dialer: any HostDialer

    /// Creates a tester.
    ///
    /// - Parameters:
    ///   - profiles: The profiles of jump hosts, and the settings: the harness to look for, and the time limit
    ///     of a login shell.
    ///   - trust: The trusted host keys, as sessions will use them.
    ///   - server: The tmux server that sessions will run on.
    ///   - dialer: Who opens the connection, as sessions will use it.
    public init(
        profiles: HostProfiles,
        trust: HostTrust,
        server: TmuxServer = TmuxServer(),
        dialer: any HostDialer = .network
    ) {
        self.profiles = profiles
        self.trust = trust
        self.server = server
        self.dialer = dialer
    }

    /// Tests a host.
    public func test(
        _ profile: HostProfile,
        key: SSHPrivateKey,
        progress: StateSource<HostReadiness>
    ) async throws -> HostReadiness {
        let settings = try await profiles.settings.snapshot()
        let host = try await SSHHost(profile, of: profiles, key: key, trust: trust, dialer: dialer)
        let result: Result<HostReadiness, any Error>
        do {
            result = .success(
                try await host.preflight(
                    harness: settings[.harness],
                    server: server,
                    timeout: settings[.managementTimeout],
                    progress: progress
                )
            )
        } catch {
            result = .failure(error)
        }
        // Not cut short by a cancelled task.
        var link: HostLink? = host.link
        while let open = link {
            await open.shutdown()
            link = open.configuration.jump
        }
        return try result.get()
    }

    /// Opens a key: see ``RiffCore/SSHPrivateKey/opened()``.
    public func open(_ key: SSHPrivateKey) async throws -> SSHPrivateKey { try await key.opened() }
}
