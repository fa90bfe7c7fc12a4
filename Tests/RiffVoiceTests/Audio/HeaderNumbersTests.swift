// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing

/// Numbers that no well-meant peer writes into the header of a sound file: read, clamped or refused.
@Suite struct HeaderNumbersTests {
    private static let words: [UInt64] = [
        0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, Double.nan.bitPattern,
        Double.infinity.bitPattern, (1e308).bitPattern, (-1.0).bitPattern,
    ]

    /// The file with each of these numbers in one place after another, each such file once.
    private static func spoiled(_ file: [UInt8], headerBytes: Int, _ body: ([UInt8]) -> Void) {
        var seen: Set = [file]
        for place in 0..<headerBytes {
            for word in words {
                for (width, isBig) in [(2, false), (4, false), (4, true), (8, true)] where place + width <= file.count {
                    var changed = file
                    for index in 0..<width {
                        let shift = UInt64(8 * (isBig ? width - 1 - index : index))
                        changed[place + index] = UInt8(truncatingIfNeeded: word >> shift)
                    }
                    if seen.insert(changed).inserted { body(changed) }
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
}
