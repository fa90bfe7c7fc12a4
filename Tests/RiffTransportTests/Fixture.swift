// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// Files beside the tests.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return try Array(Data(contentsOf: folder.appending(path: name)))
    }

    /// The objects of a file with one on each line.
    static func cases(_ name: String) throws -> [JSONValue] {
        try bytes(name).split(separator: 0x0A).map { try JSONValue(parsing: $0) }
    }
}

extension JSONValue {
    /// The bytes of a list of Base64 texts.
    var chunks: [[UInt8]] {
        (array ?? []).map { Array(Data(base64Encoded: $0.text ?? "") ?? Data()) }
    }
}
