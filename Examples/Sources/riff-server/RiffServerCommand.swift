// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleFrontEnd
import ExampleTerminal
import Foundation
import Hummingbird
import struct HummingbirdCore.MaximumAvailableConnections
import Logging
import RiffCore
import RiffHTTP
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
            RIFF_SHARED_SECRET may hold the secret of its clients, 64 hexadecimal digits; without it one is made and kept in \
            the folder of --records, and devices get it by --pair. The server listens on 127.0.0.1 unless told otherwise. It \
            prints the port on the first line of standard output, and ends on SIGTERM.
            """
    )

    @Option(help: "The address to listen on; anything else than 127.0.0.1 or ::1 needs a real secret.")
    var bind = "127.0.0.1"

    @Option(help: "The TCP port; 0 takes a free one.")
    var port = RiffContract.port

    @Flag(help: "Recognize on this machine, with the Moonshine engine in the cache folder or in RIFF_MOONSHINE.")
    var offline = false

    @Option(name: .customLong("openai-url"), help: "An OpenAI-style speech server; its key, if any, is OPENAI_API_KEY.")
    var openaiURL: String?

    @Option(name: .customLong("openai-model"), help: "The model to ask --openai-url for.")
    var openaiModel: String?

    @Option(help: "The address of another Riff server that does the recognizing; its secret is RIFF_STT_SECRET.")
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

    @Option(help: "Where conversations, turns, devices and a secret that was made here are kept.")
    var records = ".riff-server"

    @Option(help: "Take files from clients (POST /riff/upload) into this folder; its path is told to them.")
    var uploads: String?

    @Option(help: "The push service's address instead of Apple's, for notifications (see APNS_KEY_ID in the guide).")
    var pushURL: String?

    @Option(help: "A PEM file of a private authority that signs for --push-url.")
    var pushTrustRoot: [String] = []

    @Flag(help: "Let one device ask for the secret, with a code that is printed on the second line; for five minutes.")
    var pair = false

    @Flag(help: "Answer Sven's prompt API, too, with the agent of --bridge; --pair then lets one device in there.")
    var sven = false

    @Flag(help: "Only turn speech into text, whatever else is said.")
    var voiceOnly = false

    @Flag(
        name: .customLong("allow-v1"),
        help: "Take signatures of version 1, too, which anybody who saw one can repeat."
    )
    var allowsV1 = false

    @Option(
        help: "The least that is logged, on standard error: trace, debug, info, notice, warning, error or critical."
    )
    var logLevel = "notice"

    @OptionGroup var limits: TimeLimits

    @Flag(help: "End when standard input ends: for a program that starts this one and must not leave it behind.")
    var untilInputEnds = false

    func validate() throws {
        _ = try level()
        guard !sven || bridge != nil && !voiceOnly else {
            throw ValidationError("--sven needs an agent: --bridge, without --voice-only.")
        }
    }

    private func level() throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ValidationError("There is no level \(logLevel).")
        }
        return level
    }

    func run() async throws {
        if untilInputEnds { InputEnd.endsProcess() }
        var environment = ProcessInfo.processInfo.environment
        if let envFile {
            let file = try String(contentsOf: URL(filePath: envFile), encoding: .utf8)
            environment.merge(try DotEnv.variables(in: file)) { own, _ in own }
        }
        environment = try await SharedSecret.completing(environment, records: records)
        let exposure: ServerConfiguration.Exposure = ["127.0.0.1", "::1"].contains(bind) ? .loopback : .network
        var configuration = try ServerConfiguration.fromEnvironment(environment, exposure: exposure)
        configuration.allowsV1 = allowsV1
        limits.apply(to: &configuration)
        LoggingSystem.bootstrap { HarmlessLog(label: $0) }
        var logger = Logger(label: "riff.server")
        logger.logLevel = try level()
        if configuration.secret.isPlaceholder {
            logger.warning("the shared secret is a placeholder and protects nothing")
        }

        let http = try AsyncHTTPTransport(.init(additionalTrustRoots: sttTrustRoot))
        let pushes = try AsyncHTTPTransport(.init(additionalTrustRoots: pushTrustRoot, allowsHTTP2: true))
        do {
            let recognizer = try await Recognizer.make(self, configuration, environment: environment, http: http)
            if recognizer == nil { logger.notice("no recognizer is chosen: clips are answered with 503") }
            let narration = try speak && !voiceOnly ? narration(configuration, http) : nil
            let push = try await pushSender(configuration, pushes)
            let window = pair ? PairingWindow() : nil
            let report: @Sendable (ServerError) -> Void = { [logger] in Self.report($0, logger) }
            let server = try VoiceServer(
                configuration,
                recognizer: recognizer,
                narration: narration,
                conversations: voiceOnly ? nil : conversations(push),
                pairing: window,
                uploads: try uploads.flatMap { voiceOnly ? nil : UploadService(folder: try Self.absolute($0)) },
                report: report
            )
            let desk = bridge.flatMap {
                sven ? PromptDesk(PollBridge(path: $0), timeout: .seconds(limits.replyTimeout), logger) : nil
            }
            let prompts = desk.map { desk in
                SvenServer(
                    limits.sven,
                    devices: DeviceLedger(KeyValueFile(path: "\(records)/sven-devices.json")),
                    pairing: window,
                    conversation: desk.conversation,
                    report: report
                ) { try desk.take($0) }
            }
            try await withThrowingTaskGroup { group in
                group.addTask { await desk?.run() }
                try await serve(VoiceResponder(server: server, sven: prompts), window, logger)
                group.cancelAll()
            }
        } catch {
            await http.shutdown()
            await pushes.shutdown()
            throw error
        }
        await http.shutdown()
        await pushes.shutdown()
    }

    /// The sender of notifications that the environment describes, if it does.
    private func pushSender(_ configuration: ServerConfiguration, _ http: AsyncHTTPTransport) async throws
        -> PushSender?
    {
        let address = try pushURL.map { try HTTPBaseURL($0) }
        return try await configuration.pushSender(title: "Riff", over: http, production: address, sandbox: address)
    }

    private static func absolute(_ path: String) throws -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        return FileManager.default.currentDirectoryPath + "/" + path
    }

    private func conversations(_ push: PushSender?) -> ConversationService? {
        bridge.map { folder in
            ConversationService(
                responder: PollBridge(path: folder),
                records: ServerRecords(folder: records),
                timeout: .seconds(limits.replyTimeout),
                push: push
            )
        }
    }

    /// The hosted voice, as MP3, where there is a key for it; else espeak-ng's, as WAV.
    private func narration(_ configuration: ServerConfiguration, _ http: any HTTPTransport) throws -> NarrationService?
    {
        if configuration.recognizerKey != nil {
            return try configuration.narration(over: http, transcripts: transcripts)
        }
        let voice = try EspeakTextToSpeech()
        return try configuration.narration(over: http, voice: voice, encoder: nil, transcripts: transcripts)
    }

    private static func report(_ error: ServerError, _ logger: Logger) {
        let cause = (error.cause as? any RiffError)?.stableCode ?? error.cause.map { "\(type(of: $0))" }
        logger.error(
            "a request failed",
            metadata: ["riff.code": "\(error.stableCode)", "riff.cause": "\(cause ?? "-")"]
        )
    }

    private func serve(_ responder: VoiceResponder, _ window: PairingWindow?, _ logger: Logger) async throws {
        let application = Application(
            responder: responder,
            // A head that is never sent whole is no request: nobody holds a place with it for longer than this.
            server: .http1(configuration: .init(idleTimeout: .seconds(limits.idleTimeout))),
            configuration: .init(
                address: .hostname(bind, port: port),
                serverName: "riff-server",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)
            ),
            onServerRunning: { channel in
                Printing.write("\(channel.localAddress?.port ?? 0)\n")
                // To a person at the console, never into the log.
                if let window { Printing.write("pairing code: \(window.open()) (five minutes, one device)\n") }
            },
            logger: logger
        )
        try await application.runService()
    }
}
