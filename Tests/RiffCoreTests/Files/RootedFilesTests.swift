// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RootedFilesTests {
    /// A link to a folder outside, and a name behind a slash that is no Character of its own.
    @Test(arguments: ["link/\u{301}secret", "link\u{600}/secret", "link/\u{200D}secret"])
    func `a link to a folder outside is not followed, whatever letters stand at its slash`(name: String) async throws {
        try await KeyTool.withFolder { folder in
            let parts = name.split(byte: "/").map(String.init)
            let files = FileManager.default
            try files.createDirectory(atPath: "\(folder)/root", withIntermediateDirectories: true)
            try files.createDirectory(atPath: "\(folder)/out", withIntermediateDirectories: true)
            try Data("secret".utf8).write(to: URL(filePath: "\(folder)/out/\(parts[1])"))
            try files.createSymbolicLink(
                atPath: "\(folder)/root/\(parts[0])",
                withDestinationPath: "\(folder)/out"
            )
            let rooted = try RootedFiles(roots: ["\(folder)/root"])
            let reading = #expect(throws: CoreError.self) { try rooted.contents(of: "\(folder)/root/\(name)") }
            #expect(reading?.code == .outsideRoots)
            let writing = #expect(throws: CoreError.self) {
                try rooted.replace("\(folder)/root/\(name)", with: [1])
            }
            #expect(writing?.code == .outsideRoots)
            #expect(try KeyTool.bytes("\(folder)/out/\(parts[1])") == Array("secret".utf8))
        }
    }

    @Test func `a root that is spelled otherwise is another folder`() async throws {
        try await KeyTool.withFolder { folder in
            for name in ["caf\u{E9}", "cafe\u{301}"] {
                // One that spells names by itself has one folder for both.
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            guard try FileManager.default.contentsOfDirectory(atPath: folder).count == 2 else { return }
            let rooted = try RootedFiles(roots: ["\(folder)/caf\u{E9}"])
            try rooted.replace("\(folder)/caf\u{E9}/x", with: [1])
            let error = #expect(throws: CoreError.self) { try rooted.replace("\(folder)/cafe\u{301}/x", with: [1]) }
            #expect(error?.code == .outsideRoots)
        }
    }
}
