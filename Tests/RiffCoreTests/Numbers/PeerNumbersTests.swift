// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffVoice
import Testing

/// Numbers that no well-meant peer says, in every reader of this target that takes some: read, clamped or refused.
@Suite struct PeerNumbersTests {
    private static let texts = [
        "0", "-0", "-1", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e308",
        "-1e308", "1e999999999999999999999", "1e-999999999999999999999", "nan", "inf", "", " ",
        String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
    ]

    // MARK: Headers of sound files

    private static let words: [UInt64] = [
        0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, Double.nan.bitPattern,
        Double.infinity.bitPattern, (1e308).bitPattern, (-1.0).bitPattern,
    ]

    /// A file in which one place after another holds each of these numbers.
    private static func spoiled(_ file: [UInt8], headerBytes: Int, _ body: ([UInt8]) -> Void) {
        for place in 0..<headerBytes {
            for word in words {
                for (width, isBig) in [(2, false), (4, false), (4, true), (8, true)] where place + width <= file.count {
                    var changed = file
                    for index in 0..<width {
                        let shift = UInt64(8 * (isBig ? width - 1 - index : index))
                        changed[place + index] = UInt8(truncatingIfNeeded: word >> shift)
                    }
                    body(changed)
                }
            }
        }
    }

    @Test(arguments: [AudioFormat.speech, AudioFormat(sampleRate: 44_100, channels: 2, sample: .float32)])
    func `a WAV header may say anything`(format: AudioFormat) throws {
        let file = try WAVHeader.bytes(of: format, dataBytes: 64) + [UInt8](repeating: 1, count: 64)
        var refused = 0
        Self.spoiled(file, headerBytes: file.count - 64) { file in
            do throws(CoreError) { _ = try WAVReader.read(file, as: .speech) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test func `a CAF header may say anything`() throws {
        let file = try CAFHeader.bytes(of: .speech, dataBytes: 64) + [UInt8](repeating: 1, count: 64)
        var refused = 0
        Self.spoiled(file, headerBytes: file.count - 64) { file in
            do throws(CoreError) { _ = try CAFReader.read(file, as: .speech) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }

    // MARK: Texts

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
        var parser = ControlModeParser()
        let lines = [
            "%begin \(text) \(text) \(text)", "line", "%end \(text) \(text) \(text)", "%output %\(text) \\777x",
            "%extended-output %1 \(text) : a", "",
        ]
        _ = parser.feed(Array(lines.joined(separator: "\n").utf8))
        for columns in [text, "80"] {
            let page = "\(text) \(columns) \(text) \(text)\n"
            do { _ = try TmuxHistoryPage(output: Array(page.utf8), lines: -5..<5) } catch {
                #expect(error.code == .malformedHistory)
            }
        }
    }
}
