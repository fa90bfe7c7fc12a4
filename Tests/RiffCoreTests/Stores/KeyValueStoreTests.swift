// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct KeyValueStoreTests {
        private static func withStores(_ body: (any KeyValueStore) async throws -> Void) async throws {
            try await body(InMemoryKeyValueStore())
            try await KeyTool.withFolder { try await body(KeyValueFile(path: "\($0)/new/settings.json")) }
        }

        @Test func `the store in memory keeps the rules`() async throws {
            try await KeyValueStoreConformance { InMemoryKeyValueStore() }.runAll()
        }

        @Test func `the store in a file keeps the rules`() async throws {
            try await KeyTool.withFolder { folder in
                try await KeyValueStoreConformance { KeyValueFile(path: "\(folder)/new/\(UUID().uuidString).json") }
                    .runAll()
            }
        }

        @Test func `a store that drops an empty text is told what it gave`() async throws {
            let failure = await #expect(throws: ConformanceFailure.self) {
                try await KeyValueStoreConformance { ForgetfulStore() }.runAll()
            }
            #expect(failure?.message == #"value(for: "a") is nil instead of "" after set("", for: "a")"#)
        }

        @Test func `settings come back, are replaced and removed`() async throws {
            try await Self.withStores { store in
                #expect(try await store.value(for: "host") == nil)
                try await store.set("a/b \"c\"\n\u{1F5DD}", for: "host")
                try await store.set("", for: "")
                #expect(try await store.value(for: "host") == "a/b \"c\"\n\u{1F5DD}")
                #expect(try await store.names() == ["host", ""])
                try await store.set(nil, for: "host")
                try await store.set(nil, for: "host")
                #expect(try await store.value(for: "host") == nil)
                #expect(try await store.names() == [""])
            }
        }

        @Test func `20 changes at once by 20 stores are all kept`() async throws {
            try await KeyTool.withFolder { folder in
                let path = "\(folder)/settings.json"
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<20 {
                        group.addTask { try await KeyValueFile(path: path).set("\(index)", for: "key\(index)") }
                    }
                    try await group.waitForAll()
                }
                #expect(try await KeyValueFile(path: path).names().count == 20)
                #expect(try KeyTool.mode(path) == 0o600)
                let json = try JSONDecoder().decode([String: String].self, from: Data(try KeyTool.bytes(path)))
                #expect(json["key7"] == "7")
            }
        }

        @Test(arguments: ["{", "[]", "{\"a\": 1}", "\u{0}"])
        func `a damaged file is an error and stays as it is`(text: String) async throws {
            try await KeyTool.withFolder { folder in
                let path = "\(folder)/settings.json"
                try KeyTool.write(text, to: path)
                let store = KeyValueFile(path: path)
                let read = await #expect(throws: CoreError.self) { try await store.value(for: "a") }
                #expect(read?.code == .storeFailed)
                let written = await #expect(throws: CoreError.self) { try await store.set("x", for: "a") }
                #expect(written?.code == .storeFailed)
                #expect(try KeyTool.text(path) == text)
            }
        }
    }
}

/// A store that takes an empty text for none.
private actor ForgetfulStore: KeyValueStore {
    private var values: [String: String] = [:]

    func value(for name: String) async throws -> String? { values[name] }
    func set(_ value: String?, for name: String) async throws { values[name] = value == "" ? nil : value }
    func names() async throws -> Set<String> { Set(values.keys) }
}
