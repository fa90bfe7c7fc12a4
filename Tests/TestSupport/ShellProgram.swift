// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import RiffCore
internal import RiffTesting
package import RiffTransport
internal import Testing

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A program of this machine, for tests that ask a real shell or a real tmux.
package struct ShellProgram: Sendable, CustomTestStringConvertible {
    package let path: String

    package init(path: String) { self.path = path }

    package var name: String { String(path.split(separator: "/").last ?? "") }
    package var testDescription: String { name }

    /// The program, where it is installed.
    package static func find(_ name: String) -> ShellProgram? {
        ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].lazy.map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }.map { ShellProgram(path: $0) }
    }

    /// The shells that a command line must mean the same to, as far as they are installed.
    package static let shells = ["dash", "bash", "zsh", "fish"].compactMap(find)
    package static let csh = find("csh")
    package static let tmux = find("tmux")

    package struct Result {
        package let exit: RiffTransport.ExitStatus?
        package let output: [UInt8]
        package let diagnostics: [UInt8]

        /// -1 where a signal ended it.
        package var status: Int { if case .exited(let status) = exit { Int(status) } else { -1 } }
    }

    /// Runs it to its end. What it leaves running in the background is not waited for; cancellation ends it.
    package func run(_ arguments: [String], in home: URL, environment: [String: String] = [:]) async throws -> Result {
        let inherited = [
            "HOME": home.path, "SHELL": path, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color",
        ]
        // Files, not pipes: a tmux server would keep a pipe open.
        let name = home.appendingPathComponent(".\(UUID().uuidString)").path
        let files = ["\(name).out", "\(name).err"]
        defer { for file in files { unlink(file) } }
        let redirection = ["-c", "exec \"$@\" </dev/null >\"$0.out\" 2>\"$0.err\"", name, path]
        let process = try await LocalProcess.start(
            LocalCommand(
                "/bin/sh",
                redirection + arguments,
                environment: inherited.merging(environment) { $1 },
                directory: home.path
            )
        )
        let exit: RiffTransport.ExitStatus?
        do {
            exit = try await process.exitStatus()
        } catch {
            await process.close()
            throw error
        }
        let written = try files.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        return Result(exit: exit, output: written[0], diagnostics: written[1])
    }
}

/// Runs a test in a folder of its own with a short path, which is removed afterwards, whatever happens.
package func withTemporaryHome<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let name = "riffcore-\(UInt32.random(in: 0 ... .max))"
    let home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(name)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }  // Nothing else to clean up with.
    return try await body(home)
}

extension URL {
    /// Writes a script that anybody may run.
    package func writeScript(_ text: String) async throws { try await SystemProgram.writeScript(text, to: path) }
}
