// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffACP
import RiffCore
import RiffGateway
import RiffHTTP
import RiffTransport
import RiffVoice

/// A chat in the terminal, whose answers are drawn while they are written.
@main
struct RiffChat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-chat",
        abstract: "Chat with a model behind a gateway, or with an agent.",
        discussion: """
            riff-chat --gateway http://127.0.0.1:18789             a gateway; its token is in the environment
            riff-chat --keep talk.json                             a conversation that goes on the next time
            riff-chat -- hermes acp                                an agent of the Agent Client Protocol

            The address may be in OPENAI_BASE_URL, its key in OPENAI_API_KEY; or in REMOTECLAW_GATEWAY_URL, and its token in
            REMOTECLAW_GATEWAY_TOKEN. --verbose says which were used.

            \(ChatCommand.usage). Where the input is no terminal, each of its lines is asked.
            """
    )

    @Option(help: "The gateway's address, with /v1 or without; that of the environment, or this machine, unless named.")
    var gateway: String?
    @Option(help: "The model that is asked for.")
    var model: String?
    @Option(help: "Keep the conversation in this file, and go on with what is in it.")
    var keep: String?
    @Option(help: "Go on with this session of the agent's.")
    var session: String?
    @Option(help: "Where the agent works.")
    var directory = FileManager.default.currentDirectoryPath
    @Option(help: "The recording that /talk takes where it names none.")
    var wav: String?
    @Flag(help: "Take what a model writes between <think> and </think> for thoughts, which are no part of its answer.")
    var separateThinking = false
    @Flag(help: "Say which address, key and model are used, and who named them.")
    var verbose = false
    @OptionGroup var speech: SpeechOptions
    @Argument(parsing: .captureForPassthrough, help: "The agent: PROGRAM [ARGUMENT...]")
    var agent: [String] = []

    func run() async throws {
        let http = try AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do {
            let words = Array(agent.drop { $0 == "--" })
            result = .success(words.isEmpty ? try await chat(over: http) : try await chat(with: words, http))
        } catch {
            result = .failure(error)
        }
        await http.shutdown()
        do {
            try result.get()
        } catch let error as any RiffError {
            throw ExampleFailure(error.message)
        }
    }

    private func chat(over http: AsyncHTTPTransport) async throws {
        var typed = GatewayConfiguration.Typed()
        (typed.address, typed.model) = (gateway, model)
        let environment = ProcessInfo.processInfo.environment
        var configuration = try GatewayConfiguration.resolved(typed: typed, environment: environment)
        configuration.separatesThinking = separateThinking
        if verbose { Self.tell(configuration) }
        if configuration.isExposed, configuration.token != nil {
            Printing.write("riff-chat: the token goes over the network without TLS.\n", to: .errors)
        }
        let gateway = ChatGateway(configuration, http: http)
        let partner = try GatewayPartner(gateway, file: keep.map { ThreadFile(path: absolutePath($0)) })
        let ears = Ears(recording: wav) {
            if speech.sttURL != nil { return try speech.recognizer { http } }
            return GatewaySpeechToText(gateway, offer: try await gateway.voice())
        }
        try await talk(partner, ears)
    }

    private static func tell(_ configuration: GatewayConfiguration) {
        func place(_ origin: GatewayConfiguration.Origin?) -> String {
            switch origin {
            case .typed: "typed"
            case .environment(let name): name
            case .file(let name): "\(name) in the file"
            case .builtIn: "the standard"
            case nil: "none"
            }
        }
        let origins = configuration.origins
        let text: HarmlessText = """
            riff-chat: \(configuration.server) (\(place(origins?.address))), token: \(place(origins?.token)), model: \
            \(configuration.model) (\(place(origins?.model)))

            """
        Printing.write(text, to: .errors)
    }

    private func chat(with words: [String], _ http: AsyncHTTPTransport) async throws {
        let conversation = ACPConversation()
        let command = LocalCommand(words[0], Array(words.dropFirst()), directory: directory)
        let info = ACP.Implementation(name: "riff-chat", version: "0.1.0")
        let configuration = ACPClient.Configuration(info: info)
        let ears = Ears(recording: wav) { try speech.recognizer { http } }
        try await withACPClient(.process(command), configuration: configuration, handlers: conversation.handlers) {
            client in
            if let session {
                try await conversation.open(ACP.SessionID(rawValue: session), on: client, in: directory)
            } else {
                try await conversation.start(on: client, in: directory)
            }
            try await talk(AgentPartner(conversation: conversation, client: client), ears)
        }
    }

    private func talk(_ partner: any ChatPartner, _ ears: Ears) async throws {
        guard PersonsTerminal.isThere else { return try await PipedChat(partner: partner, ears: ears).run() }
        let terminal = try PersonsTerminal(isOnOtherScreen: false)
        await ChatRoom(partner, ears: ears, on: terminal).run()
        terminal.restore()
    }
}
