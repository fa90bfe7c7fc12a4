// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffACP
import RiffCore
import RiffTransport

/// A conversation in the terminal with any agent that speaks the Agent Client Protocol.
@main
struct RiffACPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-acp",
        abstract: "Talk to an agent in the terminal.",
        discussion: """
            riff-acp hermes acp                            an agent on this machine
            riff-acp me@mac hermes acp                     one on a host, over SSH
            riff-acp --keep notes me@mac hermes acp        one that goes on when the connection does not

            Type a prompt and press return. /mode NAME changes the mode, /quit or the end of input leaves. Ctrl-C cancels \
            the turn; without one it leaves.
            """
    )

    @Option(help: "Where the agent works: an absolute path where it runs.")
    var directory: String?
    @Option(help: "The private key for a host, in OpenSSH's format and without a passphrase.")
    var key = "~/.ssh/id_ed25519"
    @Option(help: "The SSH port of a host.")
    var port = 22
    @Option(help: "Where host keys are kept, in the form of known_hosts; the first one that a host shows is trusted.")
    var knownHosts = "~/.config/riff-acp/known_hosts"
    @Option(help: "Keep the agent running under this name when this program ends, and attach to it the next time.")
    var keep: String?
    @Option(help: "Go on with this session, which is open in a kept agent.")
    var session: String?
    @Option(help: "Write every message to this file, one JSON object a line.")
    var record: String?
    @Flag(help: "Show what the agent thinks in full, not only how much.")
    var thoughts = false
    @Argument(parsing: .captureForPassthrough, help: "[USER@HOST] PROGRAM [ARGUMENT...]")
    var command: [String]

    func run() async throws {
        var words = command
        if words.first == "--" { words.removeFirst() }
        var host: SSHHost?
        if let first = words.first, first.contains("@") {
            host = try await remote(first)
            words.removeFirst()
        }
        guard !words.isEmpty else { throw ValidationError("Say which program is the agent.") }
        let place = directory ?? (host == nil ? FileManager.default.currentDirectoryPath : "/")
        do {
            let recorder = try record.map { try Recorder(path: $0) }
            let talk = Talk(following: session, showsThoughts: thoughts)
            var configuration = ACPClient.Configuration(info: ACP.Implementation(name: "riff-acp", version: "0.1.0"))
            if let recorder { configuration.wireObserver = { recorder.write($0, $1) } }
            let source = try source(words, on: host)
            let handlers = talk.conversation.handlers
            try await withACPClient(source, configuration: configuration, handlers: handlers) { client in
                try await talk.run(on: client, in: place)
            }
            await host?.shutdown()
            try recorder?.close()
        } catch let error as any RiffError {
            Printing.write("riff-acp: \(error.message)\n", to: .errors)
            throw ExitCode.failure
        }
    }

    private func source(_ words: [String], on host: SSHHost?) throws -> ACPAgentSource {
        let session: any HostSession = if let host { host } else { LocalHostSession() }
        if let keep { return ACPKeeper(on: session).agent(keep, words, directory: directory) }
        guard host == nil else { return .command(words, on: session, directory: directory) }
        return .process(LocalCommand(words[0], Array(words.dropFirst()), directory: directory))
    }

    /// The host. The key of one that was never met is trusted, and shown; later another one is refused.
    private func remote(_ place: String) async throws -> SSHHost {
        let parts = place.split(separator: "@", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("\(place) is not USER@HOST.") }
        let path = NSString(string: key).expandingTildeInPath
        let pem = Secret(try String(contentsOfFile: path, encoding: .utf8))
        let pins = HostKeyFile(path: NSString(string: knownHosts).expandingTildeInPath)
        let host = try SSHHost(
            parts[1],
            port: port,
            user: parts[0],
            key: try SSHPrivateKey(pem: pem),
            trust: .firstUse(pins)
        )
        let pin = HostPin(address: try HostAddress(parts[1], port: port))
        guard try await pins.pinnedKeys(for: pin).isEmpty else { return host }
        try await host.connect()
        for key in try await pins.pinnedKeys(for: pin) {
            Printing.write(
                "riff-acp: \(pin) is new here. Its key \(key.fingerprint) is trusted from now on.\n",
                to: .errors
            )
        }
        return host
    }
}
