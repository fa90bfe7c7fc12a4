// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice

/// The files of `Fixtures/riff`.
enum RiffFixtures {
    struct Vector: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let key_hex: String
        let body_hex: String
        let x_riff_secret: String
        let wrong_if_ascii_keyed: String

        var description: String { "\(name) \(key_hex.prefix(4))" }
        var body: [UInt8] {
            stride(from: 0, to: body_hex.count, by: 2).compactMap { UInt8(body_hex.dropFirst($0).prefix(2), radix: 16) }
        }
    }

    struct Exchange: Decodable, Sendable, CustomStringConvertible {
        struct Request: Decodable, Sendable {
            let method: String
            let path: String
            let headers: [String: String]
            let body: String
        }
        struct Response: Decodable, Sendable {
            let status: Int
            let body: [String: String]
        }
        let name: String
        let request: Request
        let response: Response

        var description: String { name }
    }

    static let keyHex = String(repeating: "0", count: 62) + "2a"

    static func secret() throws -> RiffSecret { try RiffSecret(hex: keyHex) }

    static func vectors() throws -> [Vector] {
        struct File: Decodable { let vectors: [Vector] }
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: url("hmac_vectors.json"))).vectors
    }

    static func exchanges() throws -> [Exchange] {
        try lines("reference_server.jsonl").dropFirst().map {
            try JSONDecoder().decode(Exchange.self, from: Data($0.utf8))
        }
    }

    static func lines(_ name: String) throws -> [Substring] {
        try String(contentsOf: url(name), encoding: .utf8).split(separator: "\n")
    }

    private static func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/riff/\(name)")
    }
}
