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

    @Test func `a store keeps them, and whoever reads it next has them`() async throws {
        let store = InMemoryKeyValueStore(["other": "x"])
        #expect(try await RecentStartDirectories.load(from: store) == RecentStartDirectories())
        for text in ["/a b", "~/\"q\"\n", "/a b"] {
            try await RecentStartDirectories.record(StartDirectory(text), in: store)
        }
        let loaded = try await RecentStartDirectories.load(from: store)
        #expect(loaded.directories.map(\.rawValue) == ["/a b", "~/\"q\"\n"])
        #expect(try RecentStartDirectories(text: loaded.text) == loaded)
        #expect(try await store.names() == ["other", RecentStartDirectories.settingName])
    }

    @Test func `what is no directory is passed over, and too many are cut`() throws {
        let recent = try RecentStartDirectories(text: #"["/a","~root","/b","/a","/c","/d","/e","/f"]"#)
        #expect(recent.directories.map(\.rawValue) == ["/a", "/b", "/c", "/d"])
    }

    @Test(arguments: ["", "{", "{}", "[1]", "/a"])
    func `what is no list is an error, and is not written over`(_ text: String) async throws {
        let store = InMemoryKeyValueStore([RecentStartDirectories.settingName: text])
        let error = await #expect(throws: CoreError.self) {
            try await RecentStartDirectories.record(.home, in: store)
        }
        #expect(error?.code == .storeFailed)
        #expect(try await store.value(for: RecentStartDirectories.settingName) == text)
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
