// Riff
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Foundation
package import RiffCore
package import RiffSessions

/// Which host, and as whom: on the command line of each example that works on one.
package struct HostOptions: ParsableArguments {
    @Argument(help: "The account and the host, such as me@mac.tailnet.ts.net.")
    package var destination: String

    @Option(help: "The port of its SSH server.")
    package var port = 22

    @Option(help: "Your private key.")
    package var key = "~/.ssh/id_ed25519"

    @Option(help: "Where host keys that you trust are kept, in the form of known_hosts.")
    package var knownHosts = "~/.config/riff-term/known_hosts"

    @Option(help: "How many seconds the first connection may take.")
    package var connectTimeout = 10

    @Option(help: "What speaks SSH: swift or libssh2; the first that was built in, unless said otherwise.")
    package var sshEngine: String?

    @Option(help: "The tmux server's name.")
    package var tmuxName = "riff"

    @Option(help: "The tmux server's socket, instead of a name.")
    package var socket: String?

    @Option(help: "Where new sessions start; your home folder there, unless said otherwise.")
    package var directory = ""

    @Option(help: "What new sessions run; claude, unless said otherwise.")
    package var run = ""

    @Flag(help: "Let the programs of sessions put texts on your clipboard.")
    package var clipboard = false

    package init() {}

    package func validate() throws {
        _ = try (address(), spec())
        guard connectTimeout > 0 else { throw ValidationError("--connect-timeout is at least one second.") }
    }

    /// The account and the host's name.
    package func address() throws -> (user: String, host: HostAddress) {
        let parts = destination.split(separator: "@", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("\(destination) is not of the form user@host.") }
        return (parts[0], try HostAddress(parts[1], port: port))
    }

    /// How a new session is made.
    package func spec() throws -> NewSessionSpec { try NewSessionSpec(directory: directory, harness: run) }

    /// The tmux server with the sessions.
    package var server: TmuxServer {
        var options = TmuxOptions()
        options.clipboard = clipboard
        return TmuxServer(socket.map { .path($0) } ?? .name(tmuxName), options: options)
    }

    package func sessions() throws -> SessionsConfiguration {
        SessionsConfiguration(server: server, base: try spec())
    }

    var pins: HostKeyFile { HostKeyFile(path: absolutePath(knownHosts)) }
    var keyPath: String { absolutePath(key) }
}

/// A path that a person wrote, from the root.
package func absolutePath(_ path: String) -> String {
    URL(filePath: NSString(string: path).expandingTildeInPath).path(percentEncoded: false)
}
