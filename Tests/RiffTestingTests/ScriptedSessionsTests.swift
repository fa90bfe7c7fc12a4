// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScriptedSessionsTests {
    private static func names(_ manager: SessionManager) -> [String] { manager.current.pages.map(\.name.rawValue) }

    @Test func `a manager shows, makes and ends the sessions of the script`() async throws {
        let script = try ScriptedSessions(["riff", "riff-2"]) { name in "\(name) $ " }
        let manager = script.manager()
        await manager.start()
        try await waitUntil { manager.current.isSetUp && manager.current.pages.allSatisfy { $0.state?.isOpen == true } }
        #expect(Self.names(manager) == ["riff", "riff-2"])
        let name = try await manager.create()
        #expect(name.rawValue == "riff-3")
        try await manager.waitUntilOpen(name)
        var text = TerminalText(try #require(manager.current.pages.last?.terminal).output)
        try await text.read(through: "riff-3 $ ")
        try await manager.type("hello", submit: false)
        let program = try #require(script.program(of: name))
        var typed = program.input.makeAsyncIterator()
        #expect(try await typed.next() == Array("hello ".utf8))
        try await manager.close(name)
        #expect(script.names.map(\.rawValue) == ["riff", "riff-2"])
        await manager.shutdown()
    }

    @Test func `a lost connection refuses keys, and comes back to every session`() async throws {
        let script = try ScriptedSessions(["riff", "riff-2"])
        let manager = script.manager()
        await manager.start()
        try await waitUntil { manager.current.isSetUp && manager.current.pages.allSatisfy { $0.state?.isOpen == true } }
        script.disconnect()
        try await waitUntil { manager.current.pages.allSatisfy { $0.state?.isOpen == false } }
        #expect(await transportError { try await manager.write([1]) }?.code == .notConnected)
        script.reconnect()
        try await waitUntil { manager.current.pages.allSatisfy { $0.state?.isOpen == true } }
        await manager.shutdown()
    }
}
