// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Files as people keep them, each held against what `ssh -G` makes of it.
    @Suite(.enabled(if: SystemProgram.path("ssh") != nil), .timeLimit(.minutes(2)))
    struct SSHConfigReaderTests {
        private static let keywords: Set<Substring> = [
            "hostname", "user", "port", "identityfile", "identitiesonly", "identityagent", "userknownhostsfile",
            "hostkeyalias", "proxyjump", "proxycommand",
        ]

        @Test(arguments: try Fixture.cases("ssh-config/cases.jsonl"))
        func `a file says what ssh says of it`(_ example: JSONValue) async throws {
            let kind = try #require(example["is"]?.text)
            let folder = Fixture.path("ssh-config", beside: #filePath)
            let text = try #require(example["text"]?.text).replacing("INC", with: folder)
            let path = FileManager.default.temporaryDirectory.appending(
                path: "riff-config-\(UInt64.random(in: .min ... .max))"
            )
            try Data(text.utf8).write(to: path)
            // Cleanup.
            defer { try? FileManager.default.removeItem(at: path) }
            for alias in try #require(example["aliases"]?.array).compactMap(\.text) {
                let file = path.path(percentEncoded: false)
                let theirs = try await SystemProgram.run("ssh", ["-G", "-F", file, alias])
                #expect((theirs.status == 0) == (kind != "mistake"), "\(theirs.output)")
                do {
                    let values = try Self.read(file, Array(text.utf8), alias)
                    try #require(kind == "followed", "\(alias): \(values)")
                    let user = ProcessInfo.processInfo.environment["HOME"] ?? ""
                    let told = Self.told(by: theirs.output, values, home: user)
                    #expect(Self.lines(values, home: user) == told, "\(alias)")
                } catch let error as TransportError {
                    try #require(kind != "followed", "\(error)")
                    #expect(error.code == .sshConfigUnreadable)
                    #expect(error.message.contains("\(file), line "), "\(error)")
                }
            }
        }

        @Test func `files that include each other end with an error that names the line`() {
            let file = SSHConfigReader.File(path: "/a", bytes: Array("\nInclude /a\n".utf8))
            var reader = SSHConfigReader(alias: "mac", localUser: "me") { _ in [file] }
            let error = #expect(throws: TransportError.self) { try reader.read([file]) }
            #expect(error?.message.hasPrefix("/a, line 2: `Include`") == true, "\(String(describing: error))")
        }

        @Test func `files that include each other twice are not read for ever`() {
            // Sixteen deep, that would be 65,536 readings.
            let file = SSHConfigReader.File(path: "/a", bytes: Array("Include /a\nInclude /a\n".utf8))
            var count = 0
            let leaf = SSHConfigReader.File(path: "/b", bytes: [])
            var deep = SSHConfigReader(alias: "mac", localUser: "me") { _ in [file] }
            #expect(throws: TransportError.self) { try deep.read([file]) }
            var reader = SSHConfigReader(alias: "mac", localUser: "me") { _ in
                count += 1
                return [leaf]
            }
            let limit = SSHConfigReader.mostIncluded
            let most = String(repeating: "Include /b\n", count: limit)
            #expect((try? reader.read([SSHConfigReader.File(path: "/c", bytes: Array(most.utf8))])) != nil)
            let error = #expect(throws: TransportError.self) {
                try reader.read([SSHConfigReader.File(path: "/d", bytes: Array("\nInclude /b\n".utf8))])
            }
            #expect(count == limit + 1)
            #expect(error?.message.contains("/d, line 2: `Include` includes more than \(limit) files") == true)
        }

        @Test func `whatever a file says, a message is text`() {
            let file = SSHConfigReader.File(path: "/a\u{1B}[2J", bytes: Array("Fancy\u{1B}]52;c;x\u{07} 1\n".utf8))
            var reader = SSHConfigReader(alias: "mac", localUser: "me") { _ in [] }
            let error = #expect(throws: TransportError.self) { try reader.read([file]) }
            #expect(error?.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } == false)
        }

        private static func read(_ path: String, _ bytes: [UInt8], _ alias: String) throws -> SSHConfigValues {
            var reader = SSHConfigReader(alias: alias, localUser: NSUserName()) { pattern throws(TransportError) in
                let folder = URL(filePath: pattern).deletingLastPathComponent()
                let names =
                    (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
                let wanted = WildcardPattern(URL(filePath: pattern).lastPathComponent)
                return names.sorted().filter { wanted.matches($0) }.map { name in
                    let file = folder.appending(path: name)
                    // A file that vanished says nothing.
                    return SSHConfigReader.File(
                        path: file.path(),
                        bytes: Array((try? Data(contentsOf: file)) ?? Data())
                    )
                }
            }
            return try reader.read([SSHConfigReader.File(path: path, bytes: bytes)])
        }

        /// What was read, as `ssh -G` prints it.
        private static func lines(_ values: SSHConfigValues, home: String) -> Set<String> {
            var lines: Set = [
                "hostname \(values.resolvedHostName)", "user \(values.user ?? NSUserName())",
                "port \(values.port ?? 22)",
                "identitiesonly \(values.identitiesOnly == true ? "yes" : "no")",
            ]
            lines.formUnion(values.identityFiles.map { "identityfile \($0)" })
            if let files = values.userKnownHostsFiles {
                lines.insert("userknownhostsfile \(files.isEmpty ? "none" : files.joined(separator: " "))")
            }
            if let alias = values.hostKeyAlias { lines.insert("hostkeyalias \(alias)") }
            if let agent = values.identityAgent { lines.insert("identityagent \(agent.replacing("~", with: home))") }
            if let hops = values.proxyJump, !hops.isEmpty {
                lines.insert("proxyjump \(hops.map(\.description).joined(separator: ","))")
            }
            if let command = values.proxyCommand, !command.isEmpty { lines.insert("proxycommand \(command)") }
            return lines
        }

        /// What `ssh -G` printed, without what is its own where the file says nothing.
        private static func told(by output: String, _ values: SSHConfigValues, home: String) -> Set<String> {
            var lines = Set(
                output.split(separator: "\n").filter { keywords.contains($0.prefix { $0 != " " }) }.map(String.init)
            )
            if values.identityFiles.isEmpty { lines = lines.filter { !$0.hasPrefix("identityfile ") } }
            if values.userKnownHostsFiles == nil { lines = lines.filter { !$0.hasPrefix("userknownhostsfile ") } }
            return lines
        }
    }
}
