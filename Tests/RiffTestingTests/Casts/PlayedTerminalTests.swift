// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PlayedTerminalTests {
    private static func cast(limit: Duration? = nil) -> Cast {
        Cast(
            header: CastHeader(size: .standard, idleTimeLimit: limit),
            events: [
                CastEvent(time: .zero, .output, "a"), CastEvent(time: .seconds(2), .output, "b"),
                CastEvent(time: .seconds(3), .input, "x"), CastEvent(time: .seconds(63), .output, "c"),
                CastEvent(time: .seconds(64), CastEvent.Code(rawValue: "?"), "y"),
                CastEvent(time: .seconds(64), .exit, "7"),
            ]
        )
    }

    @Test(
        arguments: [
            (nil, 1, [2, 1, 60, 1]), (.seconds(5), 1, [2, 1, 5, 1]), (.seconds(5), 2, [1, 0.5, 2.5, 0.5]),
        ] as [(Duration?, Double, [Double])]
    )
    func `it draws what was drawn when it was, and ends as it did`(
        _ limit: Duration?,
        _ speed: Double,
        _ waits: [Double]
    ) async throws {
        let clock = ManualClock(advancesItself: true)
        let terminal = PlayedTerminal(Self.cast(limit: limit), speed: speed, clock: clock)
        try await terminal.connect(size: .standard)
        var text = ""
        for await bytes in terminal.output { text += String(decoding: bytes, as: UTF8.self) }
        #expect(text == "abc")
        #expect(await terminal.closure().exit == .exited(7))
        #expect(clock.waits == waits.map { .seconds($0) })
    }

    @Test func `keys and sizes are taken, as many as come`() async throws {
        let terminal = PlayedTerminal(Self.cast(), ending: .stay, clock: ManualClock())
        try await terminal.connect(size: .standard)
        for _ in 0..<64 { try await terminal.write([UInt8](repeating: 0x61, count: 16 * 1024)) }
        try await terminal.resize(to: TerminalSize(columns: 10, rows: 10))
        var output = terminal.output.makeAsyncIterator()
        #expect(await output.next() == [0x61])
        await terminal.disconnect()
        #expect(await output.next() == nil)
        #expect(await terminal.closure().reason == .disconnected)
    }

    @Test func `it can begin anew until it is left`() async throws {
        let terminal = PlayedTerminal(Self.cast(), ending: .restart, clock: ManualClock(advancesItself: true))
        try await terminal.connect(size: .standard)
        var text = ""
        var output = terminal.output.makeAsyncIterator()
        while text.utf8.count < 20, let bytes = await output.next() { text += String(decoding: bytes, as: UTF8.self) }
        #expect(text.hasPrefix("abc\u{1B}cabc\u{1B}c"))
        await terminal.disconnect()
        await #expect {
            try await terminal.connect(size: .standard)
        } throws: { ($0 as? TransportError)?.code == .closed }
    }
}
