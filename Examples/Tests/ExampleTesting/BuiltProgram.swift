// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program of these examples.
package enum BuiltProgram {
    /// Where it lies: beside the tests.
    ///
    /// - Throws: `CocoaError` where it was not built.
    package static func path(_ name: String) throws -> String {
        let places = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
        let paths = places.map { $0.deletingLastPathComponent().appending(path: name).path }
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return path
    }
}
