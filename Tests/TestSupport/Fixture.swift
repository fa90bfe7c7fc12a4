// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import RiffCore

/// Files in the folder `Fixtures` of a test target: of the one that the caller's file is in, unless another one is
/// named.
package enum Fixture {
    /// The file's path.
    package static func path(_ name: String, of target: String? = nil, beside file: String = #filePath) -> String {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        // Paths are those of the build: what is above "Tests" is the package's own folder.
        let tests = parts.lastIndex(of: "Tests").map { parts[...$0].joined(separator: "/") } ?? "Tests"
        let own = parts.lastIndex(of: "Tests").map { String(parts[$0 + 1]) } ?? ""
        return "\(tests)/\(target ?? own)/Fixtures/\(name)"
    }

    package static func data(_ name: String, of target: String? = nil, beside file: String = #filePath) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name, of: target, beside: file)))
    }

    package static func bytes(_ name: String, of target: String? = nil, beside file: String = #filePath) throws
        -> [UInt8]
    {
        Array(try data(name, of: target, beside: file))
    }

    package static func text(_ name: String, of target: String? = nil, beside file: String = #filePath) throws -> String
    {
        String(decoding: try data(name, of: target, beside: file), as: UTF8.self)
    }

    /// The lines that are not empty.
    package static func lines(_ name: String, of target: String? = nil, beside file: String = #filePath) throws
        -> [String]
    {
        try text(name, of: target, beside: file).split(separator: "\n").map(String.init)
    }

    package static func json<Value: Decodable>(
        _ type: Value.Type,
        _ name: String,
        of target: String? = nil,
        beside file: String = #filePath
    ) throws -> Value {
        try JSONDecoder().decode(type, from: data("\(name).json", of: target, beside: file))
    }

    /// The values of a file with one on each line.
    package static func cases(
        _ name: String,
        of target: String? = nil,
        beside file: String = #filePath
    ) throws -> [JSONValue] {
        try bytes(name, of: target, beside: file).split(separator: 0x0A).map { try JSONValue(parsing: $0) }
    }
}

extension JSONValue {
    /// The bytes of a list of Base64 texts.
    package var chunks: [[UInt8]] {
        (array ?? []).map { Array(Data(base64Encoded: $0.text ?? "") ?? Data()) }
    }
}
