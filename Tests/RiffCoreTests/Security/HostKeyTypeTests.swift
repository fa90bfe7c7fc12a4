// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// Hosts that are known by keys of some types and show a key of any.
    @Suite(.timeLimit(.minutes(5)))
    struct HostKeyTypeTests {
        /// Two or more keys of each type; only the names of the fixed ones matter, nobody holds them any more.
        private let pool: [SSHPublicKey]
        private let pin: HostPin

        init() throws {
            pin = HostPin(address: try HostAddress("box.example"))
            var keys = try (0..<3).map { _ in try #require(SSHPrivateKey.makeEd25519().publicKey) }
            for fill: UInt8 in [0x91, 0xC3] {
                var writer = SSHWireWriter()
                writer.write(text: "ssh-rsa")
                writer.write(mpint: [1, 0, 1])
                writer.write(mpint: [UInt8](repeating: fill, count: 256))
                keys.append(try SSHPublicKey(blob: writer.bytes))
            }
            keys += try Self.ecdsa.map { try SSHPublicKey(line: $0) }
            pool = keys
        }

        private static let ecdsa = [
            "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB"
                + "BIqfLl75KQMWRPptKfHfv7/uWxoSfU06Cv6G3okuzgTqn4OxWBFoKrf/MlZtzakyb08F+F7tZ450kEZ60khUWso=",
            "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB"
                + "BPwmgCXQnChUd0oxbhe3UnMJLSXswbUKvTUSD5d9aYdUvRVjFbfTEt10YZpzlsF26O0sil6aZFmOnG7splsZuis=",
            "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABh"
                + "BIqFUqnsaSRg62KkX/fcVikA5pvMnD6C/Qo2RWeVWieDpHEE54L+UwmRivtDujYDPhcYz8EfZe5wSs4zUqUqKDBU7D37El/N"
                + "gdd3NXeOJBfLDwEJOJ3ym7GQTUrSrOBj3w==",
        ]

        /// What `ssh-keygen -t` calls the type.
        private static func type(_ key: SSHPublicKey) -> String {
            switch key.algorithm.rawValue {
            case "ssh-ed25519": "ed25519"
            case "ssh-rsa": "rsa"
            default: "ecdsa"
            }
        }

        @Test(arguments: 0..<200)
        func `a key that is not known never passes, in any store, whatever other keys the host has`(
            seed: UInt64
        ) async throws {
            var random = SeededGenerator(seed: seed)
            let known = Array(pool.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
            let shown = try #require(pool.randomElement(using: &random))
            let split = Int.random(in: 0...known.count, using: &random)
            try await KeyTool.withFolder { folder in
                let paths = ["\(folder)/first", "\(folder)/second"]
                for (path, keys) in zip(paths, [known[..<split], known[split...]]) {
                    for key in keys { try await HostKeyFile(path: path).trust(key, for: pin) }
                }
                let stores: [any HostKeyStore] = [
                    InMemoryHostKeyStore([pin: known]), HostKeyFiles(paths[0], [paths[1]]),
                    HostKeyFiles(paths[1], [paths[0]]),
                ]
                for store in stores {
                    let before = try await store.pinnedKeys(for: pin)
                    #expect(Set(before) == Set(known))
                    let verdicts = [
                        try await store.judge(shown, for: pin), try await store.check(shown, for: pin),
                        try await HostTrust.firstUse(store).judge(shown, for: pin),
                        try await HostTrust.onlyKnown(store).judge(shown, for: pin),
                        try await HostTrust.pinned(before).judge(shown, for: pin),
                    ]
                    for verdict in verdicts {
                        if known.contains(shown) {
                            #expect(verdict == .trusted)
                        } else if known.contains(where: { Self.type($0) == Self.type(shown) }) {
                            #expect(verdict == .mismatch(expected: before))
                        } else {
                            #expect(verdict == .otherType(known: before))
                        }
                    }
                    #expect(try await store.pinnedKeys(for: pin) == before)
                }
            }
        }

        @Test(arguments: 0..<50)
        func `the question names every known key and the new one, and survives the way through a recovery`(
            seed: UInt64
        ) async throws {
            var random = SeededGenerator(seed: seed)
            let shown = try #require(pool.randomElement(using: &random))
            let known = pool.filter { Self.type($0) != Self.type(shown) }.shuffled(using: &random)
            for count in known.indices.map({ $0 + 1 }) {
                let store = InMemoryHostKeyStore([pin: Array(known.prefix(count))])
                let error = await #expect(throws: CoreError.self) {
                    try await HostTrust.firstUse(store).verify(shown, for: pin)
                }
                #expect(error?.code == .hostKeyOfOtherType)
                #expect(try HostKeyOffer(error?.recovery) == nil)
                let offer = try #require(try FurtherHostKeyOffer(error?.recovery))
                #expect((offer.key, offer.pin) == (shown, pin))
                #expect(offer.knownKeys == Array(known.prefix(count)))
                for key in offer.knownKeys + [shown] {
                    #expect(offer.question.contains("\(key.algorithm) \(key.fingerprint)"))
                    #expect(error?.message.contains("\(key.algorithm) \(key.fingerprint)") == true)
                }
                try await store.trust(offer.key, for: offer.pin)
                #expect(try await HostTrust.onlyKnown(store).verify(shown, for: pin) == .trusted)
                #expect(try await store.pinnedKeys(for: pin) == offer.knownKeys + [shown])
            }
        }

        @Test func `the refusal says whether a known type was asked for`() async throws {
            let (ed25519, rsa) = (pool[0], pool[3])
            let trust = HostTrust.firstUse(InMemoryHostKeyStore([pin: [rsa]]))
            for (asked, words): (Set<SSHKeyAlgorithm>, String) in [
                ([.rsa, .ed25519], "asked for a key of a known type first, and showed none"),
                ([.ed25519], "cannot check keys of the known types"),
            ] {
                let error = await #expect(throws: CoreError.self) {
                    try await trust.verify(ed25519, for: pin, askedFor: asked)
                }
                #expect(error?.message.contains(words) == true)
            }
        }

        @Test func `fixed keys of another type can be trusted nowhere`() async throws {
            let error = await #expect(throws: CoreError.self) {
                try await HostTrust.pinned([pool[3]]).verify(pool[0], for: pin)
            }
            #expect(error?.code == .hostKeyOfOtherType)
            #expect(error?.recovery == nil)
        }

        @Test func `another file's changed key is not taken for one of another type`() async throws {
            try await KeyTool.withFolder { folder in
                try await HostKeyFile(path: "\(folder)/first").trust(pool[3], for: pin)
                try await HostKeyFile(path: "\(folder)/second").trust(pool[0], for: pin)
                let files = HostKeyFiles("\(folder)/first", ["\(folder)/second"])
                #expect(try await files.judge(pool[1], for: pin) == .mismatch(expected: [pool[3], pool[0]]))
            }
        }

        @Test(arguments: ["", "box.example", "box.example\nssh-ed25519 AAAA", "box.example\nx y\nz"])
        func `a damaged offer is none`(detail: String) {
            let offer = try? FurtherHostKeyOffer(Recovery(.trustFurtherHostKey, detail: detail))
            #expect(offer == nil)
        }
    }
}
