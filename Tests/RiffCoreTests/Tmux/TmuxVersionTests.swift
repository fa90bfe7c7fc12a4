// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct TmuxVersionTests {
    @Test(arguments: [
        ("tmux 3.3a", 3, 3), ("tmux 1.8", 1, 8), ("tmux 2.9a\n", 2, 9), ("tmux next-3.5", 3, 5), ("tmux 3.10", 3, 10),
        ("tmux 4", 4, 0),
    ])
    func `a release is read`(line: String, major: Int, minor: Int) throws {
        let version = try #require(TmuxVersion(line: line))
        #expect(version.major == major)
        #expect(version.minor == minor)
        #expect(version.description == line.split(whereSeparator: \.isNewline)[0])
    }

    @Test(arguments: ["tmux master", "tmux openbsd-7.4"])
    func `a build without a release's number counts as new`(line: String) throws {
        let version = try #require(TmuxVersion(line: line))
        #expect(version.major == nil)
        #expect(version.isAtLeast(.recommended))
    }

    @Test(arguments: ["", "tmux", "screen 4.09", "tmux: error while loading libevent", "3.3a"])
    func `what is no version is told`(line: String) { #expect(TmuxVersion(line: line) == nil) }

    @Test(arguments: [
        ("tmux 2.0", false, false), ("tmux 2.1", true, false), ("tmux 3.1c", true, false), ("tmux 3.2", true, true),
        ("tmux 3.10", true, true), ("tmux 10.0", true, true),
    ])
    func `versions are compared by their numbers`(line: String, isUsable: Bool, isRecommended: Bool) throws {
        let version = try #require(TmuxVersion(line: line))
        #expect(version.isAtLeast(.oldestUsable) == isUsable)
        #expect(version.isAtLeast(.recommended) == isRecommended)
    }
}
