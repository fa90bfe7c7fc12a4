// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

/// One algorithm alone in a client's offer: a server that agrees uses it.
struct InteropCell: Sendable, CustomTestStringConvertible {
    let name: String
    let algorithms: SSHAlgorithmList

    init(_ name: String, _ change: (inout SSHAlgorithmList) -> Void) {
        var list = SSHAlgorithmList()
        change(&list)
        self.name = name
        algorithms = list
    }

    var testDescription: String { name }
    var configuration: SSHClient.Configuration {
        var configuration = SSHClient.Configuration()
        configuration.algorithms = algorithms
        return configuration
    }

    static let keyExchanges = SSHKeyExchangeMethod.allCases.map { method in
        InteropCell(method.rawValue) { $0.keyExchange = [method] }
    }
    static let ciphers = SSHCipher.allCases.map { cipher in InteropCell(cipher.rawValue) { $0.cipher = [cipher] } }
    static let macs = SSHMAC.allCases.map { mac in
        InteropCell(mac.rawValue) {
            $0.cipher = [.aes128CTR]
            $0.mac = [mac]
        }
    }
    static let hostKeys = SSHSignatureAlgorithm.allCases.map { algorithm in
        InteropCell(algorithm.rawValue) { $0.hostKey = [algorithm] }
    }
    static let compression = InteropCell("zlib@openssh.com") { $0.compression = [.delayedZlib] }

    static func named(_ names: [String], in cells: [InteropCell]) -> [InteropCell] {
        cells.filter { names.contains($0.name) }
    }

    /// What each connection does: a command with input, output, errors and a status, and a probe.
    func check(_ client: inout BlockingSSHClient) throws {
        let outcome = try client.run("cat; echo wrong >&2; exit 3", input: Array("hello".utf8))
        #expect(outcome.text == "hello", "\(name)")
        #expect(outcome.errors == Array("wrong\n".utf8), "\(name)")
        #expect(outcome.exit == .status(3), "\(name)")
        let number = try client.perform { try $0.probe() }
        try client.next("answer to the probe") { if case .probeAnswered(number) = $0 { () } else { nil } }
        let agreement = try #require(client.client.agreement)
        #expect(algorithms.keyExchange.contains(agreement.keyExchange))
        #expect(algorithms.hostKey.contains(agreement.hostKey))
        #expect(algorithms.cipher.contains(agreement.toServer.cipher))
        #expect(algorithms.compression.contains(agreement.toClient.compression))
    }
}

/// The user's key of these tests, opened once.
let interopKey: Result<OpenedPrivateKey, any Error> = Result {
    try OpenedPrivateKey(PrivateKeyFixtures.aes256CBC.key())
}
