// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport
import Testing

@Suite struct WebSocketNumbersTests {
    private static let words: [UInt64] = [
        0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]

    private static func bytes(_ word: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * (width - 1 - $0))) }
    }

    @Test(arguments: words) func `a frame may announce any length`(length: UInt64) throws {
        let frames: [[UInt8]] = [
            [0x82, 0x7F] + Self.bytes(length, 8), [0x02, 0x7E] + Self.bytes(length, 2),
            [0x89, 0x7F] + Self.bytes(length, 8),
        ]
        for frame in frames {
            var receiver = try WebSocketReceiver(role: .client, limits: WebSocketRequest.Limits(), agreement: nil)
            var events: [WebSocketEvent] = []
            let bytes = frame + [UInt8](repeating: 0, count: 100)
            do { try bytes.withUnsafeBytes { try receiver.receive($0, into: &events) } } catch {
                #expect(error is WebSocketViolation)
            }
        }
    }
}
