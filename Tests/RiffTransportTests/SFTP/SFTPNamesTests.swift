// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// Names as a file service may give them.
@Suite struct SFTPNamesTests {
    private typealias Wire = ScriptedSFTPChannel

    /// Lists a directory whose only page has these names.
    private func list(_ names: [[UInt8]]) async throws -> [DirectoryEntry] {
        let (client, channel, requests) = try await ScriptedSFTPChannel.opened()
        let listing = Task { try await client.list("/dir") }
        let opening = try #require(try await requests.next())
        try await channel.answer(102, to: opening, Wire.string([1]))
        let page = try #require(try await requests.next())
        let bodies = names.flatMap { Wire.string($0) + Wire.string(Array("-rw-r--r--".utf8)) + Wire.number(0) }
        try await channel.answer(104, to: page, Wire.number(UInt32(names.count)) + bodies)
        let end = try #require(try await requests.next())
        try await channel.answerStatus(1, to: end)
        do {
            let entries = try await listing.value
            await client.close()
            return entries
        } catch {
            await client.close()
            throw error
        }
    }

    @Test func `a name that is not UTF-8 is marked, and no other is`() async throws {
        let entries = try await list([
            [0x72, 0xE4, 0x6B], Array("r\u{E4}k".utf8), Array("\u{FFFD}".utf8), [0xC3], Array(".".utf8),
            [0xED, 0xA0, 0x80],
        ])
        #expect(entries.map(\.hasExactName) == [false, true, true, false, false])
        #expect(entries[0].name == "r\u{FFFD}k" && entries[1].name == "r\u{E4}k" && entries[2].name == "\u{FFFD}")
        #expect(DirectoryEntry(name: "a", status: entries[0].status).hasExactName)
    }

    @Test(arguments: [
        "../../.ssh/authorized_keys", "/etc/passwd", "a/b", "/\u{301}x", "", "a\0b", "x/", "a\u{1B}[2J/b",
    ])
    func `a name that leads elsewhere is no name`(name: String) async throws {
        let error = await transportError { _ = try await list([Array("fine".utf8), Array(name.utf8)]) }
        #expect(error?.code == .sftpMalformed)
        #expect(PeerWords.fault(in: error?.message ?? "\u{1B}") == nil)
    }

    @Test func `names may be odd as long as they are names`() async throws {
        let names = ["...", "-rf", " a ", "a\nb", "\u{1B}[2J", "c:\\windows", "~", "a\u{301}"]
        #expect(try await list(names.map { Array($0.utf8) }).map(\.name) == names)
    }
}
