// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffServer
import RiffTesting
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct DeviceLedgerTests {
        @Test func `a device is known until it is revoked`() async throws {
            let ledger = DeviceLedger(InMemoryKeyValueStore())
            #expect(try await !ledger.contains(SvenFixtures.token))
            let phone = try await ledger.add(SvenFixtures.token, name: "phone")
            let tablet = try await ledger.add(SvenFixtures.other, name: "a tablet")
            #expect(try await ledger.device(of: SvenFixtures.token) == phone)
            #expect(try await ledger.devices() == [tablet, phone])
            try await ledger.revoke(phone.id)
            try await ledger.revoke("nobody")
            #expect(try await !ledger.contains(SvenFixtures.token))
            #expect(try await ledger.contains(SvenFixtures.other))
        }

        @Test func `a device that comes again gets its new name, and names are made fit to be shown`() async throws {
            let ledger = DeviceLedger(InMemoryKeyValueStore())
            try await ledger.add(SvenFixtures.token, name: "phone")
            try await ledger.add(SvenFixtures.token, name: "\u{1B}[31mmy\u{202E} phone\n")
            #expect(try await ledger.devices().map(\.name) == ["[31mmy phone"])
            try await ledger.add(SvenFixtures.token, name: "\n")
            #expect(try await ledger.devices().map(\.name) == ["device"])
            let long = try await ledger.add(SvenFixtures.token, name: String(repeating: "x", count: 1000))
            #expect(long.name.count == 64)
        }

        @Test(arguments: [
            "", "short", String(repeating: "x", count: 257), "has a space in the middle", "ümläute-ümläute",
        ])
        func `a token that is none is refused, and not quoted`(text: String) async throws {
            let ledger = DeviceLedger(InMemoryKeyValueStore())
            let error = await #expect(throws: ServerError.self) { try await ledger.add(Secret(text), name: "x") }
            #expect(error?.code == .unusableToken)
            #expect(text.isEmpty || error?.message.contains(text) == false)
        }

        @Test func `there is a most of devices, and one that is known is no more`() async throws {
            let ledger = DeviceLedger(InMemoryKeyValueStore())
            for number in 0..<DeviceLedger.limit {
                try await ledger.add(Secret("token-number-\(1000 + number)"), name: "\(number)")
            }
            let error = await #expect(throws: ServerError.self) { try await ledger.add(SvenFixtures.token, name: "x") }
            #expect(error?.code == .tooManyDevices)
            try await ledger.add(Secret("token-number-1000"), name: "again")
        }

        @Test func `a file is readable by its owner only, holds no token, and is shared`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "riff-ledger-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "devices.json").path(percentEncoded: false)
            let ledger = DeviceLedger(KeyValueFile(path: path))
            let phone = try await ledger.add(SvenFixtures.token, name: "phone")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(SvenFixtures.tokenText))
            let same = DeviceLedger(KeyValueFile(path: path))
            #expect(try await same.device(of: SvenFixtures.token) == phone)
            try await same.revoke(phone.id)
            #expect(try await !ledger.contains(SvenFixtures.token))
        }
    }
}
