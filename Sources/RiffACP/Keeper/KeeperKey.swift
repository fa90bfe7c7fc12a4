// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Texts as hexadecimal digits, as a keeper's words and the names of its files hold them.
enum KeeperKey {
    /// The bytes that the digits stand for; `nil` where they are none.
    static func bytes(_ digits: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits.utf8 {
            guard let value = value(digit) else { return nil }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return high == nil ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
