// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files beside the tests.
enum Fixture {
    static func bytes(_ name: String, file: String = #filePath) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: file).deletingLastPathComponent().appending(path: "Fixtures/\(name)")))
    }

    static func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
