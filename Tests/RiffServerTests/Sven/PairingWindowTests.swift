// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffServer
import RiffTesting
import Testing

struct PairingWindowTests {
    private static func wrong(_ code: String) -> String { String(code.reversed()) + "2" }

    @Test func `a code is three times four characters that cannot be mistaken, and another each time`() throws {
        let window = PairingWindow(clock: ManualClock())
        var codes: Set<String> = []
        for _ in 0..<100 {
            let code = window.open()
            codes.insert(code)
            let parts = code.split(separator: "-")
            #expect(parts.map(\.count) == [4, 4, 4])
            #expect(parts.joined().allSatisfy { "23456789ABCDEFGHJKMNPQRSTUVWXYZ".contains($0) })
        }
        #expect(codes.count == 100)
    }

    @Test func `the right code is taken once`() {
        let window = PairingWindow(clock: ManualClock())
        #expect(!window.isOpen)
        let code = window.open()
        #expect(window.isOpen)
        #expect(window.redeem(code))
        #expect(!window.isOpen)
        #expect(!window.redeem(code))
    }

    @Test func `it is taken as people type it`() {
        let window = PairingWindow(clock: ManualClock())
        #expect(window.redeem(" \(window.open().lowercased().replacing("-", with: " - "))\n"))
        #expect(window.redeem(window.open().replacing("-", with: "")))
    }

    @Test func `a stranger's wrong codes do not close it, until they are too many`() {
        let window = PairingWindow(clock: ManualClock())
        var code = window.open()
        for text in ["", "é", Self.wrong(code), String(repeating: "A", count: 100_000), String(code.dropLast())] {
            #expect(!window.redeem(text))
        }
        #expect(window.isOpen)
        #expect(window.redeem(code))
        code = window.open()
        #expect((1..<PairingWindow.tries).allSatisfy { _ in !window.redeem("A") })
        #expect(window.isOpen)
        #expect(!window.redeem("A"))
        #expect(!window.isOpen)
        #expect(!window.redeem(code))
    }

    @Test func `it closes after five minutes`() {
        let clock = ManualClock()
        let window = PairingWindow(clock: clock)
        var code = window.open()
        clock.advance(by: .milliseconds(299_999))
        #expect(window.isOpen)
        #expect(window.redeem(code))
        code = window.open()
        clock.advance(by: .seconds(300))
        #expect(!window.isOpen)
        #expect(!window.redeem(code))
    }

    @Test func `a closed window takes nothing, and a new code ends the old one`() {
        let window = PairingWindow(clock: ManualClock())
        let first = window.open()
        let second = window.open()
        #expect(!window.redeem(first))
        #expect(window.redeem(second))
        let third = window.open()
        window.close()
        #expect(!window.redeem(third))
    }

    @Test func `of many who have the code one is let in`() async {
        let window = PairingWindow(clock: ManualClock())
        let code = window.open()
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { window.redeem(code) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }
}
