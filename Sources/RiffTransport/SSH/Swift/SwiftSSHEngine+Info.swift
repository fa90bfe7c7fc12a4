// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffSSH

extension SwiftSSHEngine {
    package static let info = SSHEngineInfo(
        engine: .swift,
        version: "1",
        capabilities: [.signsRSAWithSHA2, .aead, .streamLocal],
        algorithms: SSHAlgorithms(SSHAlgorithmList())
    )

    package var info: SSHEngineInfo { Self.info }
}

extension SSHAlgorithms {
    fileprivate init(_ list: SSHAlgorithmList) {
        self.init(
            keyExchange: list.keyExchange.map(\.rawValue),
            hostKey: list.hostKey.map(\.rawValue),
            cipher: list.cipher.map(\.rawValue),
            mac: list.mac.map(\.rawValue)
        )
    }
}

extension SSHAlgorithmList {
    /// The algorithms of a list by their names; what has no name here was not of this engine.
    init(_ algorithms: SSHAlgorithms) {
        self.init()
        keyExchange = algorithms.keyExchange.compactMap(SSHKeyExchangeMethod.init(rawValue:))
        hostKey = algorithms.hostKey.compactMap(SSHSignatureAlgorithm.init(rawValue:))
        cipher = algorithms.cipher.compactMap(SSHCipher.init(rawValue:))
        mac = algorithms.mac.compactMap(SSHMAC.init(rawValue:))
        compression = algorithms.compression.compactMap(SSHCompression.init(rawValue:))
    }
}
#endif
