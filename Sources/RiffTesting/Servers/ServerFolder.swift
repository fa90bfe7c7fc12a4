// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RiffCore

/// Makes the private folder of one server.
enum ServerFolder {
    /// A new folder of mode 0700 with a short name, since unix sockets in it have room for about a hundred bytes.
    static func make() throws -> String {
        let base = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        var template = Array("\(base.hasSuffix(bytes: "/") ? base : base + "/")riff-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestingError(
                .folderUnavailable,
                "No folder could be made in \(base): \(String(cString: strerror(errno)))"
            )
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file that only this account can read.
    static func write(_ text: String, to path: String, permissions: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    /// Adds a line to a file.
    static func append(_ line: String, to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }  // The write below has already said whether it worked.
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\(line)\n".utf8))
    }
}

extension TestingErrorCode {
    /// A private temporary folder could not be made.
    public static let folderUnavailable = TestingError.Code(rawValue: "folderUnavailable")
}
