// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Hummingbird
import Logging
import RiffCore
import RiffServer
import RiffTransport
import RiffVoice

/// Serves Riff's voice contract on Hummingbird.
@main
struct RiffServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-server",
        abstract: "Turns recorded speech into text for Riff clients, and speaks what the agent says to them.",
        discussion: """
            RIFF_SHARED_SECRET must hold 64 hexadecimal digits, such as `openssl rand -hex 32` prints. The server listens on \
            127.0.0.1 unless told otherwise. It prints the port on the first line of standard output, and ends on SIGTERM.
            """
    )

    @Option(help: "The address to listen on; anything else than 127.0.0.1 or ::1 needs a real secret.")
    var bind = "127.0.0.1"

    @Option(help: "The TCP port; 0 takes a free one.")
    var port = RiffContract.port

    @Flag(help: "Recognise on this machine, with the Moonshine engine in the cache folder or in RIFF_MOONSHINE.")
    var offline = false

    @Option(name: .customLong("openai-url"), help: "An OpenAI-style speech server; its key, if any, is OPENAI_API_KEY.")
    var openaiURL: String?

    @Option(name: .customLong("openai-model"), help: "The model to ask --openai-url for.")
    var openaiModel: String?

    @Option(help: "The address of another Riff server that does the recognising; its secret is RIFF_STT_SECRET.")
    var sttURL: String?

    @Option(help: "A PEM file of a private authority that signs for --stt-url.")
    var sttTrustRoot: [String] = []

    @Flag(help: "Speak what Claude Code says on this machine, with espeak-ng, to clients that wait for it.")
    var speak = false

    @Option(help: "Where Claude Code's transcripts are, for --speak.")
    var transcripts = ".claude/projects"

    @Option(help: "A file of NAME=value lines; what is in the environment itself counts more.")
    var envFile: String?

    @Option(help: "Hold conversations with an agent that watches this folder: NAME.event.json in, NAME.reply.json out.")
    var bridge: String?

    @Option(help: "Where conversations, turns and devices are kept, for --bridge.")
    var records = ".riff-server"

    @Flag(help: "Only turn speech into text, whatever else is said.")
    var voiceOnly = false

    @Flag(
        name: .customLong("allow-v1"),
        help: "Take signatures of version 1, too, which anybody who saw one can repeat."
    )
    var allowsV1 = false

    @Flag(help: "End when standard input ends: for a program that starts this one and must not leave it behind.")
    var untilInputEnds = false

    func run() async throws {
        if untilInputEnds { InputEnd.endsProcess() }
        var environment = ProcessInfo.processInfo.environment
        if let envFile {
            let file = try String(contentsOf: URL(filePath: envFile), encoding: .utf8)
            environment.merge(try DotEnv.variables(in: file)) { own, _ in own }
        }
        let exposure: ServerConfiguration.Exposure = ["127.0.0.1", "::1"].contains(bind) ? .loopback : .network
        var configuration = try ServerConfiguration.fromEnvironment(environment, exposure: exposure)
        configuration.allowsV1 = allowsV1
        var logger = Logger(label: "riff.server", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .notice
        if configuration.secret.isPlaceholder {
            logger.warning("the shared secret is a placeholder and protects nothing")
        }

        let http = try AsyncHTTPTransport(.init(additionalTrustRoots: sttTrustRoot))
        do {
            let recogniser = try await Recogniser.make(self, configuration, environment: environment, http: http)
            if recogniser == nil { logger.notice("no recogniser is chosen: clips are answered with 503") }
            let narration = try speak && !voiceOnly ? narration() : nil
            let server = try VoiceServer(
                configuration,
                recogniser: recogniser,
                narration: narration,
                conversations: voiceOnly ? nil : conversations()
            ) { [logger] error in
                let cause = (error.cause as? any RiffError)?.stableCode ?? error.cause.map { "\(type(of: $0))" }
                logger.error(
                    "a request failed",
                    metadata: ["riff.code": "\(error.stableCode)", "riff.cause": "\(cause ?? "-")"]
                )
            }
            try await serve(server, logger)
        } catch {
            await http.shutdown()
            throw error
        }
        await http.shutdown()
    }

    private func conversations() -> ConversationService? {
        bridge.map { folder in
            ConversationService(responder: PollBridge(path: folder), records: ServerRecords(folder: records))
        }
    }

    private func narration() throws -> NarrationService {
        NarrationService(voice: try EspeakTextToSpeech()) { [transcripts] project in
            ClaudeAnswerFeed(ClaudeTranscripts(on: LocalHostSession(), project: project, folder: transcripts))
        }
    }

    private func serve(_ server: VoiceServer, _ logger: Logger) async throws {
        let application = Application(
            responder: VoiceResponder(server: server),
            configuration: .init(address: .hostname(bind, port: port), serverName: "riff-server"),
            onServerRunning: { channel in
                print(channel.localAddress?.port ?? 0)
                // A script that reads the port waits for this line.
                fflush(nil)
            },
            logger: logger
        )
        try await application.runService()
    }
}
