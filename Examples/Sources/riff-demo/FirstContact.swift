// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport

/// Step 2: a new key is refused with what to do about it, that is done, and the same key is let in.
@MainActor
enum FirstContact {
    static func show(_ site: Site, _ timings: inout Timings) async throws -> (SSHHost, String) {
        let server = try site.server
        let host = try SSHHost(
            server.host,
            port: site.proxy.port,
            user: server.user,
            key: site.key,
            trust: .firstUse(HostKeyFile(path: "\(site.home)/known_hosts"))
        )
        site.atEnd { await host.shutdown() }

        let command = try await refusal(by: host)
        let run = try await site.console.run(command)
        try check(run.exit?.isSuccess == true, "The authorize command failed: \(run.diagnosticText)")

        timings.connect = try await measured { try await host.connect() }.time
        let home = try await host.run("printf %s \"$HOME\"", input: [], outputLimit: 4096, timeout: .seconds(10))
        try check(home.text == site.home, "Sessions have the home \(home.text), not the throw-away one.")
        try site.checkAccountIsUntouched()
        return (host, "a new key was refused: \"Key not authorized\"; the command that came with it let it in")
    }

    /// Dials, and returns the command that the refusal recommends.
    private static func refusal(by host: SSHHost) async throws -> String {
        do {
            try await host.connect()
        } catch let error as any RiffError {
            let isActionable = error.message.contains("Key not authorized") && error.recovery?.kind == .authorizeKey
            guard isActionable, let command = error.recovery?.detail else { throw error }
            return command
        }
        throw Failure("A key that nobody authorized was let in.")
    }
}
