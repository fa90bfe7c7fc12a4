// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTransport
import Testing

/// Numbers that no well-meant peer says, in readers of this target that take some: read, clamped or refused.
@Suite struct PeerNumbersTests {
    private static let texts = [
        "0", "-0", "-1", "65536", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551616", "1e308", "1e999", "-1e308", "nan", "-nan", "inf", "infinity", "", " ",
        String(repeating: "9", count: 400),
    ]
    private static let words: [UInt64] = [
        0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]

    private static func bytes(_ word: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * (width - 1 - $0))) }
    }

    @Test(arguments: texts) func `a server may ask to be left alone for any time`(text: String) {
        var response = HTTPResponse(status: .tooManyRequests)
        response.headerFields[.retryAfter] = text
        if let wait = response.retryAfter { #expect(wait >= .zero && wait <= .seconds(86_400)) }
    }

    @Test(arguments: texts) func `a redirect to any port is followed or refused`(text: String) throws {
        let request = try HTTPBaseURL("http://127.0.0.1:1234").request(.get, "/a")
        var response = HTTPResponse(status: .found)
        response.headerFields[.location] = "http://127.0.0.1:\(text)/b"
        if let next = request.redirected(by: response) {
            let port = (next.authority ?? "").split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 80
            #expect((1...65_535).contains(port), "\(next.authority ?? "")")
        }
        _ = try? WebSocketURL("ws://127.0.0.1:\(text)/b").endpoint
    }

    @Test(arguments: words) func `a file service may say any size, time, count and length`(word: UInt64) throws {
        let (long, wide) = (Self.bytes(word, 4), Self.bytes(word, 8))
        var attributes: [UInt8] = [0x80, 0, 0, 0x0F] + wide
        for _ in 1...6 { attributes += long }
        attributes += [0, 0, 0, 1, 0x61]
        let packets: [[UInt8]] = [
            [105, 0, 0, 0, 1] + attributes, [104, 0, 0, 0, 1] + long, [103, 0, 0, 0, 1] + long,
            [101, 0, 0, 0, 1] + long + long, [102, 0, 0, 0, 1] + long,
            [105, 0, 0, 0, 1, 0, 0, 0, 0x0F] + attributes[4..<32],
        ]
        for packet in packets {
            do {
                guard case .attributes(let attributes) = try SFTPResponse.decode(packet[...]).1 else { continue }
                _ = attributes.status()
            } catch { #expect(error.code == .sftpMalformed) }
        }
        do { _ = try SFTPFeatures.decode(([2] + long + long)[...]) } catch { #expect(error.code == .sftpMalformed) }
    }
}
