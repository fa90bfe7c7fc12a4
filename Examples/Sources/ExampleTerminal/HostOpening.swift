// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RiffCore
package import RiffTransport

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
            credentials: [.key(try await key())],
            trust: .onlyKnown(pins)
        )
        configuration.connectTimeout = .seconds(options.connectTimeout)
        let host = SSHHost(configuration)
        Self.say("Connecting to \(options.destination) …")
        do {
            try await host.connect()
        } catch let error as any RiffError {
            guard let offer = try HostKeyOffer(error.recovery) else { throw error }
            Self.say("\(offer.pin) is new here. It shows the key\n\n    \(offer.key)\n")
            Self.say("Compare it on the host itself: ssh-keygen -lf on its public host key.")
            guard await Self.ask("Trust it? Type yes: ") == "yes" else { throw error }
            try await pins.trust(offer.key, for: offer.pin)
            try await host.connect()
        }
        return host
    }

    private func key() async throws -> SSHPrivateKey {
        let file = try await LocalHostSession().read(options.keyPath, from: 0, count: 1 << 16)
        let pem = Secret(String(decoding: file, as: UTF8.self))
        do {
            return try SSHPrivateKey(pem: pem)
        } catch  where error.code == .passphraseNeeded {
            let typed = await Self.apart { getpass("Passphrase of \(options.key): ").map { String(cString: $0) } }
            guard let typed else { throw error }
            return try SSHPrivateKey(pem: pem, passphrase: Secret(typed))
        }
    }

    /// To the person, who may have sent the output elsewhere.
    private static var person: Printing.Place { isatty(STDOUT_FILENO) == 1 ? .output : .errors }

    private static func say(_ text: HarmlessText) { Printing.write("\(text)\n", to: person) }

    private static func ask(_ question: HarmlessText) async -> String? {
        Printing.write(question, to: person)
        return await apart { readLine() }
    }

    /// Does something that waits for the person on a thread of its own.
    private static func apart<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: work()) }
        }
    }
}
