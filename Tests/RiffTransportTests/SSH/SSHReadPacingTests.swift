// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport
import Testing

struct SSHReadPacingTests {
    private func pacing(_ reads: [(microseconds: UInt64, bytes: Int)]) -> SSHReadPacing {
        var pacing = SSHReadPacing()
        var now: UInt64 = 1_000_000_000
        for read in reads {
            now += read.microseconds * 1000
            pacing.didRead(read.bytes, at: now)
        }
        return pacing
    }

    @Test func `small pieces that follow each other closely are a flood`() {
        #expect(pacing(Array(repeating: (100, 700), count: 5)).isFlooded)
        // It goes on over the pauses that it is given.
        #expect(pacing(Array(repeating: (100, 700), count: 5) + Array(repeating: (1100, 30_000), count: 9)).isFlooded)
    }

    @Test func `a few pieces, pieces far from each other and large ones are not`() {
        #expect(!pacing([]).isFlooded)
        #expect(!pacing(Array(repeating: (100, 700), count: 4)).isFlooded)
        #expect(!pacing(Array(repeating: (2100, 700), count: 50)).isFlooded)
        #expect(!pacing(Array(repeating: (100, 64 * 1024), count: 50)).isFlooded)
        #expect(!pacing(Array(repeating: (100, 700), count: 50) + [(5000, 700)]).isFlooded)
    }

    @Test func `what was sent may be answered at once`() {
        var pacing = pacing(Array(repeating: (100, 700), count: 50))
        pacing.didSend()
        #expect(!pacing.isFlooded)
    }
}
