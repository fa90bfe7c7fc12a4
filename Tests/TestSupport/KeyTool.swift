// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The real programs that the key tests compare with, and a folder that goes away with the test.
package enum KeyTool {
    package static let keygen = path(of: "ssh-keygen")
    package static let openssl = path(of: "openssl")
    package static let hasKeygen = keygen != nil
    package static let hasOpenSSL = openssl != nil

    package struct Outcome {
        package var status: Int
        package var output: String
        package var errors: String
    }

    package static func path(of program: String) -> String? {
        ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end in a folder; its environment is this process's own where none is given.
    package static func run(
        _ program: String?,
        _ arguments: [String],
        in folder: String,
        environment: [String: String]? = nil
    ) async throws -> Outcome {
        guard let program else { throw CocoaError(.fileNoSuchFile) }
        let result = try await ShellProgram(path: program).run(
            arguments,
            in: URL(fileURLWithPath: folder),
            environment: environment ?? ProcessInfo.processInfo.environment
        )
        return Outcome(
            status: result.status,
            output: String(decoding: result.output, as: UTF8.self),
            errors: String(decoding: result.diagnostics, as: UTF8.self)
        )
    }

    /// Gives the body a new folder, and removes it whatever happens.
    package static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = NSTemporaryDirectory().trimmingSuffix("/") + "/rk-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    package static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    package static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
