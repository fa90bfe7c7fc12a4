// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// Keys and floods on one connection, whose windows change with the typing.
    @Suite struct SSHTypingTests {
        static let floodBytes = 24 << 20

        @Test(arguments: [nil, "1M"])
        func `a flood beside somebody who types loses nothing`(rekeyLimit: String?) async throws {
            var options = ThrowawaySSHServer.Options()
            options.rekeyLimit = rekeyLimit
            try await SSHLab.with(options) { lab in
                let host = try lab.host()
                let session = try await host.terminal("stty raw -echo; printf '!'; cat", name: "keys", size: .standard)
                var text = TerminalText(session.output)
                try await text.read(through: "!")
                // Numbered lines, so that a piece that is lost or doubled shows.
                let flood = try await host.files.openChannel(
                    "awk 'BEGIN { for (i = 0; i < \(Self.floodBytes / 16); i++) printf \"%015d\\n\", i }'"
                )
                let isOver = Mutex(false)
                let isTyping = EventualValue<Void>()
                let check = Task {
                    defer { isOver.withLock { $0 = true } }
                    try await Self.check(flood.output, isTyping)
                }
                // Where the typing fails.
                defer { check.cancel() }
                var keys = 0
                while !isOver.withLock({ $0 }) {
                    keys += 1
                    try await session.write(Array("<\(keys)>".utf8))
                    try await text.read(through: "<\(keys)>")
                    if keys == 2 { isTyping.resolve(()) }
                }
                try await check.value
            }
        }

        /// Reads to the end, and compares with what was to come. In the middle it waits until somebody types.
        private static func check(_ output: ByteStream, _ isTyping: EventualValue<Void>) async throws {
            var (line, digits, count) = (0, 0, 0)
            var expected = Array("000000000000000\n".utf8)
            for try await bytes in output {
                if count > floodBytes / 2 { try await isTyping.cancellableValue() }
                for byte in bytes {
                    guard byte == expected[digits] else {
                        Issue.record("byte \(count) is \(byte) instead of \(expected[digits])")
                        return
                    }
                    count += 1
                    digits += 1
                    guard digits == expected.count else { continue }
                    digits = 0
                    line += 1
                    var rest = line
                    for place in (0..<15).reversed() {
                        expected[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                        rest /= 10
                    }
                }
            }
            #expect(count == floodBytes)
        }
    }
}
