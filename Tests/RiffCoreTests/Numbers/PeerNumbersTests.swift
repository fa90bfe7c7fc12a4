// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

/// Numbers that no well-meant peer says, in every reader of this target that takes some: read, clamped or refused.
@Suite struct PeerNumbersTests {
    private static let texts = [
        "0", "-0", "-1", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e308",
        "-1e308", "1e999999999999999999999", "1e-999999999999999999999", "nan", "inf", "", " ",
        String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
    ]

    @Test(arguments: texts) func `JSON may hold any number`(text: String) {
        for json in [text, "[\(text)]", #"{"a":\#(text)}"#] {
            guard let value = try? JSONValue(parsing: json) else { continue }
            let member = value["a"] ?? value.array?.first ?? value
            _ = (member.integer, member.double, value.description, try? Int(json: member), try? UInt64(json: member))
            #expect((try? JSONValue(parsing: value.description)) == value)
        }
    }

    @Test(arguments: texts) func `what tmux lists may hold any number`(text: String) throws {
        for line in ["$\(text):1:0:1:riff", "$1:\(text):0:1:riff", "$1:1:\(text):1:riff", "$1:1:0:\(text):riff"] {
            do { _ = try SessionListing.parse(Array(line.utf8)) } catch {
                #expect(error.code == .malformedSessionList)
            }
        }
        _ = TmuxVersion(line: "tmux \(text).\(text)a")
        for columns in [text, "80"] {
            let page = "\(text) \(columns) \(text) \(text)\n"
            do { _ = try TmuxHistoryPage(output: Array(page.utf8), lines: -5..<5) } catch {
                #expect(error.code == .malformedHistory)
            }
        }
    }
}
