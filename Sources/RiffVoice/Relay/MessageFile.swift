// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The file that a conversation is kept in on a device, private and replaced whole. Its calls block.
struct MessageFile {
    private let directory: String
    private let name: String

    init(directory: String, _ conversation: RiffIdentifier) {
        self.directory = directory
        name = "\(conversation).json"
    }

    var path: String { "\(directory)/\(name)" }
    var damagedPath: String { "\(path).damaged" }

    /// The bytes, or `nil` where there is no file. Removes what writers that died left half-written.
    func read() throws -> [UInt8]? {
        guard LocalPath.exists(directory) else { return nil }
        return try withFolder { folder in
            // Whoever writes has the lock, so that nobody needs these any more.
            for name in try folder.names() where name.hasPrefix(LocalDirectory.temporaryPrefix) {
                try folder.remove(name)
            }
            return try folder.contents(of: name, .secret)
        }
    }

    /// Replaces the file in one step; makes it, and its folder.
    func write(_ bytes: [UInt8]) throws {
        try LocalDirectory.make(path: directory)
        try withFolder { folder in try folder.replace(name, with: bytes, mode: 0o600) }
    }

    /// Keeps bytes that could not be read beside the file, which is then gone.
    func putAside(_ bytes: [UInt8]) throws {
        try withFolder { folder in
            try folder.replace("\(name).damaged", with: bytes, mode: 0o600)
            try folder.remove(name)
        }
    }

    /// Removes the file and what was put aside.
    func remove() throws {
        guard LocalPath.exists(directory) else { return }
        try withFolder { folder in
            try folder.remove(name)
            try folder.remove("\(name).damaged")
        }
    }

    private func withFolder<Result>(_ body: (borrowing LocalDirectory) throws -> Result) throws -> Result {
        let folder = try LocalDirectory(path: directory)
        try folder.requirePrivate()
        let lock = try FileLock(".messages.lock", in: folder)
        let result = try body(folder)
        // Keeps the lock until here; the optimizer may otherwise end a value's life after its last use.
        withExtendedLifetime(lock) {}
        return result
    }
}
