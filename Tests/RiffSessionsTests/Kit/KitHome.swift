// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// A home that the kit is installed into and removed from.
struct KitHome: Sendable, CustomTestStringConvertible {
    /// How the home's file system is.
    enum Mount: Sendable {
        case plain, readOnly, full
    }

    let name: String
    /// Makes what is in the home; run by `sh` in it, with `$OUT` for a folder beside it.
    var fill = "true"
    /// Run after the first look: what an earlier, broken installation left.
    var leftover: String?
    /// Variables of the account; `@HOME@` and `@OUT@` stand for the folders.
    var variables: [String: String] = [:]
    /// The home's folder, below one of the test's own.
    var folder = "home"
    var mount = Mount.plain
    var shell = "sh"
    /// The code of the error that an installation ends with; `nil` if it works.
    var refusal: KitErrorCode?
    /// What stays of a folder that is not all Riff's.
    var keeps: [String] = []

    var testDescription: String { name }

    /// Makes the home in a folder, and gives its path to the body.
    func with(_ body: (_ home: String, _ out: String) async throws -> Void) async throws {
        let root = "/tmp/riff-kit-\(UInt32.random(in: .min ... .max))"
        let home = "\(root)/\(folder)"
        let out = "\(root)/out"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let result: Result<Void, any Error>
        do {
            try await Self.run(fill, home, out)
            result = .success(try await body(home, out))
        } catch { result = .failure(error) }
        try? FileManager.default.removeItem(atPath: root)  // Cleanup.
        try result.get()
    }

    static func run(_ script: String, _ home: String, _ out: String) async throws {
        let line = "HOME=$1 OUT=$2; export HOME OUT; cd \"$HOME\" && eval \"$3\""
        let (status, output) = try await SystemProgram.run("sh", ["-c", line, "sh", home, out, script])
        try #require(status == 0, "\(output)")
    }

    func filled(_ home: String, _ out: String) -> [String: String] {
        variables.mapValues {
            $0.replacingOccurrences(of: "@HOME@", with: home).replacingOccurrences(of: "@OUT@", with: out)
        }
    }

    /// This machine, with the home as the account's.
    func local(_ home: String, _ out: String) throws -> LocalHostSession {
        let shell = try #require(SystemProgram.path(shell))
        var environment = ["HOME": home, "SHELL": shell, "PATH": "/usr/local/bin:/usr/bin:/bin"]
        environment.merge(filled(home, out)) { $1 }
        return LocalHostSession(shell: shell, homeDirectory: home, environment: environment)
    }
}
