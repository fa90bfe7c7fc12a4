// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import Testing

@Suite struct ACPLocalFilesTests {
    /// A folder with `root/` and `outside/`, gone afterwards.
    private func withFolder(_ body: (_ folder: String, _ files: ACPLocalFiles) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-acp-\(UInt64.random(in: 0 ... .max))")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing of it is needed.
        for name in ["root/sub", "outside"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try Data("secret".utf8).write(to: URL(filePath: "\(folder)/outside/secret"))
        try Data("one\ntwo\nthree".utf8).write(to: URL(filePath: "\(folder)/root/a.txt"))
        try await body(folder, ACPLocalFiles(roots: ["\(folder)/root"]))
    }

    private func read(_ files: ACPLocalFiles, _ path: String, line: Int? = nil, limit: Int? = nil) async throws
        -> String
    {
        try await files.read(ACP.ReadTextFileRequest(sessionID: "s", path: path, line: line, limit: limit)).content
    }

    @Test(
        arguments: [
            (nil, nil, "one\ntwo\nthree"), (1, 1, "one\n"), (2, nil, "two\nthree"), (2, 1, "two\n"), (3, 5, "three"),
            (4, nil, ""),
            (0, 1, "one\n"), (1, 0, ""),
        ] as [(Int?, Int?, String)]
    )
    func `lines are read from the first one on`(line: Int?, limit: Int?, expected: String) async throws {
        try await withFolder { folder, files in
            let content = try await read(files, "\(folder)/root/a.txt", line: line, limit: limit)
            #expect(content == expected)
        }
    }

    @Test(arguments: [Int.min, .min + 1, -1, 0, 1 << 31, .max - 1, .max])
    func `an agent may ask for any line and any number of them`(number: Int) async throws {
        try await withFolder { folder, files in
            let path = "\(folder)/root/a.txt"
            #expect(try await read(files, path, line: number) == (number <= 1 ? "one\ntwo\nthree" : ""))
            #expect(try await read(files, path, limit: number) == (number <= 0 ? "" : "one\ntwo\nthree"))
            _ = try await read(files, path, line: number, limit: number)
        }
    }

    @Test func `a file is written in its place and keeps its mode, a new one is made`() async throws {
        try await withFolder { folder, files in
            let path = "\(folder)/root/a.txt"
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            for path in [path, "\(folder)/root/sub/new"] {
                _ = try await files.write(ACP.WriteTextFileRequest(sessionID: "s", path: path, content: "\u{E9}"))
                #expect(try await read(files, path) == "\u{E9}")
            }
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/root").sorted() == ["a.txt", "sub"])
        }
    }

    @Test func `folders that are missing are made, below the roots only`() async throws {
        try await withFolder { folder, files in
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: "\(folder)/root/way", withDestinationPath: "\(folder)/outside")
            try manager.createSymbolicLink(
                atPath: "\(folder)/root/dangling",
                withDestinationPath: "\(folder)/outside/none"
            )
            let path = "\(folder)/root/x/y/z/new.txt"
            _ = try await files.write(ACP.WriteTextFileRequest(sessionID: "s", path: path, content: "made"))
            #expect(try await read(files, path) == "made")
            for path in [
                "outside/x/new", "root/way/x/new", "root/dangling/x/new", "root/none/../../outside/x/new",
                "root/a.txt/x/new",
                "root/v/./../x/new",
            ] {
                await #expect(throws: ACP.RPCError.self, "\(path)") {
                    try await files.write(
                        ACP.WriteTextFileRequest(sessionID: "s", path: "\(folder)/\(path)", content: "x")
                    )
                }
            }
            #expect(try manager.contentsOfDirectory(atPath: "\(folder)/outside") == ["secret"])
            #expect(
                try manager.contentsOfDirectory(atPath: "\(folder)/root").sorted() == [
                    "a.txt", "dangling", "sub", "way", "x",
                ]
            )
        }
    }

    @Test func `links are followed within the folder and never out of it`() async throws {
        try await withFolder { folder, files in
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: "\(folder)/root/inner", withDestinationPath: "sub/../a.txt")
            try manager.createSymbolicLink(atPath: "\(folder)/root/leak", withDestinationPath: "../outside/secret")
            try manager.createSymbolicLink(atPath: "\(folder)/root/way", withDestinationPath: "\(folder)/outside")
            try manager.createSymbolicLink(atPath: "\(folder)/root/loop", withDestinationPath: "loop")
            try manager.createSymbolicLink(atPath: "\(folder)/door", withDestinationPath: "root")
            #expect(try await read(files, "\(folder)/root/inner") == "one\ntwo\nthree")
            #expect(try await read(files, "\(folder)/door/a.txt") == "one\ntwo\nthree")
            for path in [
                "root/leak", "root/way/secret", "outside/secret", "root/../outside/secret", "root/loop", "root/sub/..",
                "root",
            ] {
                await #expect(throws: ACP.RPCError.self, "\(path)") { try await read(files, "\(folder)/\(path)") }
                await #expect(throws: ACP.RPCError.self, "\(path)") {
                    try await files.write(
                        ACP.WriteTextFileRequest(sessionID: "s", path: "\(folder)/\(path)", content: "x")
                    )
                }
            }
            #expect(try String(contentsOfFile: "\(folder)/outside/secret", encoding: .utf8) == "secret")
            await #expect { try await read(files, "\(folder)/root/none") } throws: {
                ($0 as? ACP.RPCError)?.code == .resourceNotFound
            }
            await #expect(throws: ACP.RPCError.self) { try await read(files, "a.txt") }
        }
    }
}
