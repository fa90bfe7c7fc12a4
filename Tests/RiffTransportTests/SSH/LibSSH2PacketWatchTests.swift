// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

#if LibSSH2 && (os(macOS) || os(Linux))
import RiffTransport
import Testing

/// How it is known whether a server told an exit status.
@Suite struct LibSSH2PacketWatchTests {
    private func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private func confirmation(_ channel: UInt32) -> [UInt8] {
        [91] + number(channel) + number(0) + number(2_097_152) + number(32_768)
    }

    private func request(_ name: String, _ channel: UInt32, _ value: UInt32 = 0) -> [UInt8] {
        [98] + number(channel) + number(UInt32(name.utf8.count)) + Array(name.utf8) + [0] + number(value)
    }

    private func free(_ bytes: [UInt8], _ watch: inout LibSSH2PacketWatch) {
        bytes.withUnsafeBytes { watch.didFree($0) }
    }

    @Test func `a status is seen for the channel that has it`() {
        var watch = LibSSH2PacketWatch()
        free(confirmation(0), &watch)
        let first = watch.watchNewest()
        free(confirmation(7), &watch)
        let second = watch.watchNewest()
        #expect(first == 0 && second == 7)
        free(request("exit-status", 7), &watch)
        #expect(!watch.hasStatus(0) && watch.hasStatus(7))
        // The next channel of that number begins anew.
        watch.forget(7)
        free(confirmation(7), &watch)
        let third = watch.watchNewest()
        #expect(third == 7)
        #expect(!watch.hasStatus(7))
    }

    @Test func `nothing else is a status`() {
        var watch = LibSSH2PacketWatch()
        free(confirmation(3), &watch)
        let channel = watch.watchNewest()
        #expect(channel == 3)
        let others: [[UInt8]] = [
            request("exit-signal", 3), request("eow@openssh.com", 3), request("exit-status", 4), request("", 3),
            Array(request("exit-status", 3).dropLast(2)), [94] + request("exit-status", 3).dropFirst(), [], [98],
            [98] + number(3) + number(0xFFFF_FFFF) + Array("exit-status".utf8) + number(0), number(98) + number(3),
        ]
        for bytes in others { free(bytes, &watch) }
        #expect(!watch.hasStatus(3))
        free(request("exit-status", 3) + [0, 0, 0], &watch)
        #expect(watch.hasStatus(3))
    }

    @Test func `what was not seen is not known`() {
        var watch = LibSSH2PacketWatch()
        let channel = watch.watchNewest()
        #expect(channel == nil)
        // libssh2's word is then taken.
        #expect(watch.hasStatus(0))
    }
}
#endif
