// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import Testing

struct RecentStartDirectoriesTests {
    private static func recording(_ texts: String...) throws -> RecentStartDirectories {
        var recent = RecentStartDirectories()
        for text in texts { recent.record(try StartDirectory(text)) }
        return recent
    }

    @Test func `the newest six are kept, each once, newest first`() throws {
        let recent = try Self.recording("/a", "/b", "/c", "/a", "/d", "/e", "/f", "/g")
        #expect(recent.directories.map(\.rawValue) == ["/g", "/f", "/e", "/d", "/a", "/c"])
        #expect(recent.directories.count == RecentStartDirectories.capacity)
    }

    @Test func `two spellings of one directory are one, and the newer spelling stays`() throws {
        let recent = try Self.recording("~", "/", "$HOME/work", "", "work/", "/srv/", "~/work", "/srv", "/~")
        #expect(recent.directories.map(\.rawValue) == ["/~", "/srv", "~/work", "$HOME", "/"])
    }

    @Test func `settings keep them, and whoever reads them next has them`() async throws {
        let store = InMemoryKeyValueStore(["other": "x"])
        for text in ["/a b", "~/\"q\"", "/a b", "/two\nlines", "/return\r"] {
            try await RiffSettings(store).record(StartDirectory(text))
        }
        let recent = try await RiffSettings(store).value(of: .recentStartDirectories)
        #expect(recent.directories.map(\.rawValue) == ["/a b", "~/\"q\""])
        #expect(RecentStartDirectories(text: recent.text) == recent)
        #expect(try await store.names() == ["other", "riff.ssh.recentStartDirs"])
    }

    @Test(
        arguments: [
            ("", []), ("\n\n", []), ("/a\n~root\n/b\n/a\n/c\n/d\n/e\n/f", ["/a", "/b", "/c", "/d"]), ("work", ["work"]),
        ] as [(String, [String])]
    )
    func `what is no directory is passed over, and too many are cut`(_ text: String, _ directories: [String]) {
        #expect(RecentStartDirectories(text: text).directories.map(\.rawValue) == directories)
    }
}

struct NewSessionSpecTextTests {
    @Test(
        arguments: [
            ("", "", nil, nil), ("$HOME", "claude", nil, nil), (" ", " claude\n", nil, nil),
            ("~/x", "", "~/x", nil), ("", "aider --model x", nil, "aider --model x"),
            ("/srv", "$SHELL", "/srv", "$SHELL"),
        ] as [(String, String, String?, String?)]
    )
    func `a sheet's two texts are a choice, and blank is the default`(
        _ directory: String,
        _ harness: String,
        _ place: String?,
        _ line: String?
    ) throws {
        let spec = try NewSessionSpec(directory: directory, harness: harness)
        #expect(spec.directory?.rawValue == place)
        #expect(spec.harness == line.map { .custom($0) })
        #expect(try NewSessionSpec(directory: spec.directoryText, harness: spec.harnessText) == spec)
        if place == nil, line == nil {
            let tmux = TmuxServer()
            #expect(try tmux.newDetached(.base, spec: spec).line() == tmux.newDetached(.base).line())
        }
    }

    @Test func `another account's home is refused`() {
        let error = #expect(throws: CoreError.self) { try NewSessionSpec(directory: "~root", harness: "") }
        #expect(error?.code == .invalidStartDirectory)
    }
}
