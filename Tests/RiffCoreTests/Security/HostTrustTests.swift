// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct HostTrustTests {
        private let pin: HostPin
        private let key: SSHPublicKey
        private let other: SSHPublicKey

        init() throws {
            pin = HostPin(address: try HostAddress("mac.example", port: 2222), via: [try HostAddress("jump.example")])
            key = try #require(SSHPrivateKey.makeEd25519().publicKey)
            other = try #require(SSHPrivateKey.makeEd25519().publicKey)
        }

        @Test func `the first key is pinned and a changed one is refused with all that a person needs`() async throws {
            let store = InMemoryHostKeyStore()
            let trust = HostTrust.firstUse(store)
            #expect(try await trust.verify(key, for: pin) == .pinnedNow)
            #expect(try await trust.verify(key, for: pin) == .trusted)
            let error = await #expect(throws: CoreError.self) { try await trust.verify(other, for: pin) }
            #expect(error?.code == .hostKeyMismatch)
            #expect(error?.stableCode == "core.hostKeyMismatch")
            #expect(error?.recovery == .resetHostKey(pin: "jump.example/[mac.example]:2222"))
            let message = try #require(error?.message)
            for part in [
                "mac.example:2222", "jump.example", key.fingerprint, other.fingerprint, "No user name, key or password",
            ] {
                #expect(message.contains(part), "\(part) is missing in: \(message)")
            }
            #expect(error?.localizedDescription == message)
            #expect(try await store.pinnedKeys(for: pin) == [key])
            try await store.reset(HostPin(id: try #require(error?.recovery?.detail)))
            #expect(try await trust.verify(other, for: pin) == .pinnedNow)
        }

        @Test func `only known hosts pass where none is pinned by itself`() async throws {
            let store = InMemoryHostKeyStore()
            let trust = HostTrust.onlyKnown(store)
            #expect(try await trust.judge(key, for: pin) == .unknown)
            let error = await #expect(throws: CoreError.self) { try await trust.verify(key, for: pin) }
            #expect(error?.code == .hostKeyUnknown)
            #expect(error?.message.contains(key.fingerprint) == true)
            #expect(try await store.pinnedKeys(for: pin).isEmpty)
            let offer = try #require(try HostKeyOffer(error?.recovery))
            #expect(offer == HostKeyOffer(key, pin: pin))
            try await store.trust(offer.key, for: offer.pin)
            #expect(try await trust.verify(key, for: pin) == .trusted)
            #expect(try await trust.judge(other, for: pin) == .mismatch(expected: [key]))
        }

        @Test func `fixed keys pass and nothing else, and there is no store to reset`() async throws {
            let trust = HostTrust.pinned([key])
            #expect(try await trust.verify(key, for: pin) == .trusted)
            let error = await #expect(throws: CoreError.self) { try await trust.verify(other, for: pin) }
            #expect(error?.code == .hostKeyMismatch)
            #expect(error?.recovery == nil)
            #expect(try await HostTrust.pinned([]).judge(key, for: pin) == .unknown)
            let unknown = await #expect(throws: CoreError.self) { try await HostTrust.pinned([]).verify(key, for: pin) }
            #expect(unknown?.code == .hostKeyUnknown)
            #expect(unknown?.recovery == nil)
            #expect(try HostKeyOffer(.retry) == nil)
            #expect(try HostKeyOffer(nil) == nil)
        }

        @Test func `types that are pinned are asked for first`() async throws {
            var writer = SSHWireWriter()
            writer.write(text: "ssh-rsa")
            writer.write(mpint: [1, 0, 1])
            writer.write(mpint: [UInt8](repeating: 0xC3, count: 256))
            let rsa = try SSHPublicKey(blob: writer.bytes)
            let store = InMemoryHostKeyStore([pin: [rsa]])
            let algorithms = try await HostTrust.firstUse(store).preferredAlgorithms(for: pin)
            #expect(algorithms == [.rsa, .ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521])
            let unknown = try await HostTrust.firstUse(InMemoryHostKeyStore()).preferredAlgorithms(for: pin)
            #expect(unknown == SSHKeyAlgorithm.preferenceOrder)
            #expect(try await HostTrust.firstUse(store).judge(key, for: pin) == .otherType(known: [rsa]))
        }

        @Test(arguments: [HostKeyVerdict.revoked, .unknown, .mismatch(expected: []), .otherType(known: [])])
        func `every verdict that is not accepted has a refusal`(verdict: HostKeyVerdict) {
            #expect(!verdict.isAccepted)
            #expect(verdict.refusal(of: key, for: pin) != nil)
        }
    }
}
