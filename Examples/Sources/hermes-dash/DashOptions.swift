// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import RiffCore
import RiffHermes
import RiffTransport

/// Which Hermes home, on which machine: on the command line of every command.
struct DashOptions: ParsableArguments {
    @Option(help: "The account and the host, such as me@mac.tailnet.ts.net; this machine unless given.")
    var on: String?

    @Option(help: "The Hermes home there; HERMES_HOME or ~/.hermes unless given.")
    var home: String?

    @Option(help: "The profile; the active one unless given.")
    var profile: String?

    @Option(help: "The port of the host's SSH server.")
    var port = 22

    @Option(help: "Your private key.")
    var key = "~/.ssh/id_ed25519"

    @Option(help: "Where host keys that you trust are kept, in the form of known_hosts.")
    var knownHosts = "~/.config/riff-term/known_hosts"

    @Option(help: "How many seconds the first connection may take.")
    var connectTimeout = 10

    func validate() throws {
        _ = try (host(), profileName())
    }

    /// The host; `nil` for this machine.
    func host() throws -> HostOptions? {
        guard let on else { return nil }
        guard !on.hasPrefix("-") else { throw ValidationError("\(on) is not of the form user@host.") }
        return try HostOptions.parse([
            on, "--port", "\(port)", "--key", key, "--known-hosts", knownHosts, "--connect-timeout",
            "\(connectTimeout)",
        ])
    }

    func profileName() throws -> HermesProfileName? {
        guard let profile, profile != "default" else { return nil }
        guard let name = HermesProfileName(rawValue: profile) else {
            throw ValidationError("\(profile) is no profile's name: lower-case letters, digits, - and _.")
        }
        return name
    }
}
