// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffCore
import RiffTransport
import RiffVoice

/// What the person chose on the command line.
struct TermOptions: ParsableArguments {
    @Argument(help: "The account and the host, such as me@mac.tailnet.ts.net.")
    var destination: String

    @Option(help: "The port of its SSH server.")
    var port = 22

    @Option(help: "Your private key.")
    var key = "~/.ssh/id_ed25519"

    @Option(help: "Where host keys that you trust are kept, in the form of known_hosts.")
    var knownHosts = "~/.config/riff-term/known_hosts"

    @Option(help: "The tmux server's name.")
    var tmuxName = "riff"

    @Option(help: "The tmux server's socket, instead of a name.")
    var socket: String?

    @Option(help: "Where new sessions start; your home folder there, unless said otherwise.")
    var directory = ""

    @Option(help: "What new sessions run; claude, unless said otherwise.")
    var run = ""

    @Option(help: "Dictate this recording instead of what arecord hears.")
    var wav: String?

    @Option(help: "Recognise speech at an OpenAI-style server, with the key in RIFF_STT_KEY, instead of offline.")
    var sttURL: String?

    @Option(help: "Where a picture of the screen is written to.")
    var picture = "riff-term.svg"

    /// The account and the host's name.
    func address() throws -> (user: String, host: HostAddress) {
        let parts = destination.split(separator: "@", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("\(destination) is not of the form user@host.") }
        return (parts[0], try HostAddress(parts[1], port: port))
    }

    func validate() throws { _ = try (address(), spec()) }

    /// How a new session is made.
    func spec() throws -> NewSessionSpec { try NewSessionSpec(directory: directory, harness: run) }

    func sessions() throws -> SessionsConfiguration {
        let server = TmuxServer(socket.map { .path($0) } ?? .name(tmuxName))
        return SessionsConfiguration(server: server, base: try spec())
    }

    var pins: HostKeyFile { HostKeyFile(path: Self.absolute(knownHosts)) }
    var keyPath: String { Self.absolute(key) }
    var picturePath: String { Self.absolute(picture) }

    /// What understands speech.
    ///
    /// - Parameter http: The way to a server, where one is wanted.
    /// - Returns: It.
    /// - Throws: `TermFailure` where there is nothing that does; what `http` throws.
    func recogniser(over http: () throws -> any HTTPTransport) throws -> any SpeechToText {
        if let sttURL {
            let key = ProcessInfo.processInfo.environment["RIFF_STT_KEY"].map { Secret($0) }
            return try OpenAISpeechToText(key: key, baseURL: sttURL, transport: try http())
        }
        guard let engine = MoonshineInstallation.find() else {
            throw TermFailure("There is no offline speech engine here (scripts/fetch-speech-engine); see --stt-url.")
        }
        return MoonshineSpeechToText(engine)
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: NSString(string: path).expandingTildeInPath).path(percentEncoded: false)
    }
}
