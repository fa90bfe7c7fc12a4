// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import RiffVoice
internal import TestSupport

/// The files of `Fixtures/riff`.
package enum RiffFixtures {
    package struct Vector: Decodable, Sendable, CustomStringConvertible {
        package let name: String
        package let key_hex: String
        package let body_hex: String
        package let x_riff_secret: String
        package let wrong_if_ascii_keyed: String

        package var description: String { "\(name) \(key_hex.prefix(4))" }
        package var body: [UInt8] {
            stride(from: 0, to: body_hex.count, by: 2).compactMap { UInt8(body_hex.dropFirst($0).prefix(2), radix: 16) }
        }
    }

    package struct Exchange: Decodable, Sendable, CustomStringConvertible {
        package struct Request: Decodable, Sendable {
            package let method: String
            package let path: String
            package let headers: [String: String]
            package let body: String
        }
        package struct Response: Decodable, Sendable {
            package let status: Int
            package let body: [String: String]
        }
        package let name: String
        package let request: Request
        package let response: Response

        package var description: String { name }
    }

    package static let keyHex = String(repeating: "0", count: 62) + "2a"

    package static func secret() throws -> RiffSecret { try RiffSecret(hex: keyHex) }

    package static func vectors() throws -> [Vector] {
        struct File: Decodable { let vectors: [Vector] }
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: url("hmac_vectors.json"))).vectors
    }

    package static func exchanges() throws -> [Exchange] {
        try lines("reference_server.jsonl").dropFirst().map {
            try JSONDecoder().decode(Exchange.self, from: Data($0.utf8))
        }
    }

    package static func lines(_ name: String) throws -> [Substring] {
        try String(contentsOf: url(name), encoding: .utf8).split(separator: "\n")
    }

    private static func url(_ name: String) -> URL {
        URL(filePath: Fixture.path("riff/\(name)"))
    }
}
