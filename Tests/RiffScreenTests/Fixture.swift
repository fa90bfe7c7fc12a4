// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files beside the tests.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return try Array(Data(contentsOf: folder.appending(path: name)))
    }

    static func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
