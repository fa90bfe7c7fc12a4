// Riff
// SPDX-License-Identifier: Apache-2.0

extension HostSession {
    /// This session: there is nothing that could sleep.
    public func withoutWaking() async throws -> any HostSession { self }

    /// Fingerprints by the status of each path: no identity, and times as exact as the session's statuses have them.
    public func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        var found: [String: FileFingerprint] = [:]
        for path in paths { found[path] = try await status(of: path).map { FileFingerprint($0) } }
        return found
    }

    /// A watch that takes fingerprints at intervals.
    public func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch
    {
        try await FileWatch(paths, every: interval, clock: clock) { try await self.fingerprints(of: $0) }
    }

    // sample: host: SSHHost, reload: ([FileWatch.Change]) async -> Void
    /// Watches paths, looking at least every two seconds.
    ///
    /// ```swift
    /// for try await changes in try await host.watch([".hermes/cron/jobs.json"]) { await reload(changes) }
    /// ```
    public func watch(_ paths: [String]) async throws -> FileWatch {
        try await watch(paths, every: .seconds(2), clock: ContinuousClock())
    }
}

extension SSHHostSession {
    /// A watch that takes fingerprints at intervals. It connects once, for its first look. Afterwards it waits for a
    /// link that is suspended or comes back by itself, and throws `closed` where it was ended.
    package func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws
        -> FileWatch
    {
        try await link.connect()
        return try await FileWatch(paths, every: interval, clock: clock) { paths in
            try await self.withoutWaking().fingerprints(of: paths)
        }
    }

    /// Returns a session that never dials a link that was suspended or ended, once the link is connected: a suspended
    /// one is waited for.
    ///
    /// - Throws: What made the last dial fail; `closed` where the link was ended; `CancellationError`.
    package func withoutWaking() async throws -> any HostSession {
        try await link.waitUntilConnected(sleeps: true)
        return SSHHostSession(link: link, dials: false)
    }

    /// Fingerprints by one `stat` for all paths, with device, inode and times as exact as the host's file system; by
    /// SFTP where the host has no `stat`.
    ///
    /// - Throws: A ``RiffError``: the host cannot be reached; `CancellationError`.
    package func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        guard !paths.isEmpty else { return [:] }
        let listing = FingerprintListing(paths: paths)
        if let line = try listing.commandLine() {
            let answer = try await run(line)
            if let found = listing.read(answer.text) { return found }
        }
        var found: [String: FileFingerprint] = [:]
        for path in paths { found[path] = try await status(of: path).map { FileFingerprint($0) } }
        return found
    }
}
