// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RiffCore

/// A program of this machine that a test needs.
public enum SystemProgram {
    /// Looks a program up in `PATH` and in the folders where systems keep their servers, which are often not in it.
    ///
    /// - Parameter name: The program's file name, such as `sshd`, or an absolute path.
    /// - Returns: The absolute path of an executable file, or `nil` where there is none.
    public static func path(_ name: String) -> String? {
        if name.hasPrefix(bytes: "/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let variable = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = variable.split(byte: ":").map(String.init) + serverFolders
        return folders.lazy.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static let serverFolders = [
        "/usr/bin", "/usr/sbin", "/usr/local/sbin", "/sbin", "/opt/homebrew/bin", "/opt/homebrew/sbin",
        "/usr/lib/openssh", "/usr/libexec/openssh", "/usr/libexec", "/usr/lib/ssh",
    ]

    /// Runs a short program and waits for its end without blocking a thread.
    ///
    /// - Parameters:
    ///   - name: The program, as in ``path(_:)``.
    ///   - arguments: Its arguments.
    /// - Returns: Its exit status (or the number of the signal that ended it), and standard output and error together.
    /// - Throws: ``TestingError`` with `programMissing`.
    package static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let path = try required(name)
        // A file and not a pipe: neither a long output nor a grandchild that keeps it open can make this wait.
        let file = FileManager.default.temporaryDirectory.appending(path: "riff-output-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil) else {
            throw TestingError(.folderUnavailable, "No file can be made in \(file.deletingLastPathComponent()).")
        }
        defer { try? FileManager.default.removeItem(at: file) }  // Cleanup; the caller has what was in it.
        let output = try FileHandle(forWritingTo: file)
        let ending = EventualValue<Int32>()
        _ = try SpawnedProgram(path, arguments, input: .nullDevice, output: output) { ending.resolve($0) }
        let status = await ending.value()
        try output.close()
        return (status, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    /// As `run`, with an error where the program fails.
    static func output(of name: String, _ arguments: [String]) async throws -> String {
        let (status, text) = try await run(name, arguments)
        guard status == 0 else {
            throw TestingError(.programFailed, "\(name) \(arguments.joined(separator: " ")) failed: \(text)")
        }
        return text
    }

    /// Writes a script that anybody may run. A child writes it: were it open for writing here while another test starts
    /// a program, that child would hold it open for a moment, and running the script would fail with "text file busy".
    ///
    /// - Parameters:
    ///   - text: The script, from its first line with `#!` on.
    ///   - path: Where it is written, in a folder that is there.
    /// - Throws: ``TestingError`` with `programFailed`.
    package static func writeScript(_ text: String, to path: String) async throws {
        let line = "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\""
        _ = try await output(of: "sh", ["-c", line, "sh", text, path])
    }

    /// The path of a program, or an error that names what to install.
    static func required(_ name: String) throws -> String {
        guard let path = path(name) else {
            throw TestingError(
                .programMissing,
                "This test needs the program \(name), which is not on this machine.",
                recovery: .installProgram(name)
            )
        }
        return path
    }
}

extension TestingErrorCode {
    /// A program the test needs is not on this machine.
    public static let programMissing = TestingError.Code(rawValue: "programMissing")
    /// A program the test needs ended with an error.
    public static let programFailed = TestingError.Code(rawValue: "programFailed")
}
