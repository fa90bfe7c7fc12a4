// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A private folder through which two programs exchange small files, each put there whole.
package actor BridgeFolder {
    private let path: String
    private nonisolated let executor = BlockingExecutor(label: "riff.bridge")
    /// A queue of its own, because files block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The folder at a path; made with the first file.
    package init(path: String) { self.path = path }

    /// Puts a file into the folder, in one step.
    package func put(_ bytes: [UInt8], as name: String) throws(CoreError) {
        try LocalDirectory.make(path: path)
        let directory = try LocalDirectory(path: path)
        try directory.requirePrivate()
        try directory.replace(name, with: bytes, mode: 0o600)
    }

    /// The bytes of a file of up to 16 MiB, or `nil` where there is none.
    package func contents(of name: String) throws(CoreError) -> [UInt8]? {
        try LocalDirectory(path: path).contents(of: name, .trusted)
    }

    /// Removes a file, if there is one.
    package func remove(_ name: String) throws(CoreError) { try LocalDirectory(path: path).remove(name) }
}
