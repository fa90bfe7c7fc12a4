// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
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
        let process = try await LocalProcess.start(LocalCommand(try BuiltProgram.path("riff-acp"), arguments))
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
