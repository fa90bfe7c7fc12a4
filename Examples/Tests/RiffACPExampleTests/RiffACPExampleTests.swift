// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffTransport
import Testing

import riff_acp

struct ChatPrinterTests {
    @Test func `a diff shows what changed, not what stayed`() {
        let diff = ACP.Diff(path: "/a", newText: "one\nTWO\nthree", oldText: "one\ntwo\nthree")
        #expect(ChatPrinter.lines(of: diff) == ["/a", "- two", "+ TWO"])
        let made = ACP.Diff(path: "/b", newText: "x\ny")
        #expect(ChatPrinter.lines(of: made) == ["/b", "+ x", "+ y"])
    }

    @Test func `what a terminal would obey is left out`() {
        #expect(ChatPrinter(isInteractive: false).plain("a\u{1B}[31mb\u{202E}\n\tc\u{7}") == "a[31mb\n\tc")
    }
}

/// The program itself, with the echo agent of the protocol's SDK.
@Suite(.enabled(if: EchoAgent.isThere, "scripts/fetch-acp-agents was not run")) struct RiffACPProgramTests {
    @Test(.timeLimit(.minutes(5))) func `it says what the agent says, and records it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-acp-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup.
        let record = folder.appending(path: "record.jsonl").path
        let arguments = ["--record", record, EchoAgent.python, EchoAgent.script]
        let process = try await LocalProcess.start(LocalCommand(try EchoAgent.program(), arguments))
        try await process.write(Array("hello there\nand again\n".utf8))
        try await process.finishWriting()
        let output = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
        #expect(try await process.exitStatus() == .exited(0))
        await process.close()
        #expect(output.split(separator: "\n").suffix(2) == ["hello there", "and again"])
        let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.contains("\"dir\":\"c2a\"") && $0.contains("session/prompt") }.count == 2)
        #expect(lines.contains { $0.contains("\"dir\":\"a2c\"") && $0.contains("and again") })
    }
}

private enum EchoAgent {
    private static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/"
        #if canImport(Darwin)
        let standard = "\(home)/Library/Caches"
        #else
        let standard = "\(home)/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return "\(cache)/riff/acp-agents-0.12.1"
    }()

    static let python = "\(folder)/bin/python"
    static let script = "\(folder)/examples/echo_agent.py"
    static var isThere: Bool { FileManager.default.fileExists(atPath: "\(folder)/complete") }

    /// The built program lies beside the tests.
    static func program() throws -> String {
        let candidates =
            Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent().appending(path: "riff-acp").path }
            + [CommandLine.arguments[0]].map {
                URL(filePath: $0).deletingLastPathComponent().appending(path: "riff-acp").path
            }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0) })
    }
}
