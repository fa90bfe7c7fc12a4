// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RiffCore
package import RiffTransport
import Synchronization

/// The way to the first connection, while the terminal is still as it was: the key's passphrase, and whether the host's
/// key is the right one. No key is trusted that the person was not shown.
package struct HostOpening {
    let options: HostOptions

    package init(_ options: HostOptions) { self.options = options }

    /// The host, connected.
    package func connect() async throws -> SSHHost {
        let (user, address) = try options.address()
        let pins = options.pins
        var configuration = SSHHost.Configuration(
            address: address,
            user: user,
            credentials: [.key(try await key()), .questions],
            trust: .onlyKnown(pins)
        )
        let conversation = OpeningConversation()
        configuration.conversation = conversation
        // From then on the terminal is the sessions'.
        defer { conversation.end() }
        configuration.connectTimeout = .seconds(options.connectTimeout)
        configuration.engine = options.sshEngine.map(SSHEngineName.init(rawValue:))
        let host = SSHHost(configuration)
        Self.say("Connecting to \(options.destination) …")
        do {
            try await host.connect()
        } catch let error as any RiffError {
            guard let (key, pin) = try await Self.trusted(error) else { throw error }
            try await pins.trust(key, for: pin)
            try await host.connect()
        }
        return host
    }

    /// The key that the person trusts, if the error offers one and they do.
    private static func trusted(_ error: any RiffError) async throws -> (SSHPublicKey, HostPin)? {
        let compare: HarmlessText = "Compare it on the host itself: ssh-keygen -lf on its public host key."
        if let offer = try HostKeyOffer(error.recovery) {
            say("\(offer.pin) is new here. It shows the key\n\n    \(offer.key)\n")
            say(compare)
            return await ask("Trust it? Type yes: ") == "yes" ? (offer.key, offer.pin) : nil
        }
        guard let offer = try FurtherHostKeyOffer(error.recovery) else { return nil }
        say("\(offer.pin) is known here by other keys:\n")
        for known in offer.knownKeys { say("    \(known)") }
        say("\nIt showed none of them, but a key of another type:\n\n    \(offer.key)\n")
        say("If the host has no such key, somebody is in between.")
        say(compare)
        return await ask("Trust it as well? Type yes: ") == "yes" ? (offer.key, offer.pin) : nil
    }

    private func key() async throws -> SSHPrivateKey {
        let file = try await LocalHostSession().read(options.keyPath, from: 0, count: 1 << 16)
        let pem = Secret(String(decoding: file, as: UTF8.self))
        do {
            return try SSHPrivateKey(pem: pem)
        } catch {
            guard error.code == .passphraseNeeded, let typed = await Self.askHidden("Passphrase of \(options.key): ")
            else { throw error }
            return try SSHPrivateKey(pem: pem, passphrase: Secret(typed))
        }
    }

    /// To the person, who may have sent the output elsewhere.
    private static var person: Printing.Place { isatty(STDOUT_FILENO) == 1 ? .output : .errors }

    fileprivate static func say(_ text: HarmlessText) { Printing.write("\(text)\n", to: person) }

    fileprivate static func ask(_ question: HarmlessText) async -> String? {
        Printing.write(question, to: person)
        return await apart { readLine() }
    }

    fileprivate static func askHidden(_ question: HarmlessText) async -> String? {
        await apart { getpass(question.text).map { String(cString: $0) } }
    }

    /// Does something that waits for the person on a thread of its own.
    private static func apart<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: work()) }
        }
    }
}

/// The person at the terminal, while it is still as it was; later nobody can be asked, as the sessions have the screen.
private final class OpeningConversation: SSHConversation {
    private let isOver = Mutex(false)

    func end() { isOver.withLock { $0 = true } }

    func show(_ words: SSHServerWords) async {
        guard !isOver.withLock({ $0 }), words.isVerified, !words.text.isEmpty else { return }
        HostOpening.say("\(words.host.id) says:\n\(lines: words.text)")
        for link in words.links { HostOpening.say("To open in a browser: \(link)") }
    }

    func answers(to prompts: SSHPrompts) async throws -> [Secret] {
        guard !isOver.withLock({ $0 }) else { throw CancellationError() }
        HostOpening.say("\(prompts.host.id) asks \(prompts.user):")
        if prompts.purpose == .newPassword { HostOpening.say("Your password has expired.") }
        for text in [prompts.name, prompts.instruction] where !text.isEmpty { HostOpening.say("\(lines: text)") }
        var answers: [Secret] = []
        for prompt in prompts {
            let question: HarmlessText = "\(lines: prompt.text)"
            let typed = prompt.echoes ? await HostOpening.ask(question) : await HostOpening.askHidden(question)
            guard let typed else { throw CancellationError() }
            answers.append(Secret(typed))
        }
        return answers
    }
}
