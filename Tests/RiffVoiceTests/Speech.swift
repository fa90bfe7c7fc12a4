// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import Testing

/// Recorded speech, and sounds made here.
enum Speech {
    /// A recording of the fixtures.
    static func path(_ name: String) -> String { fixture("audio/\(name).wav") }

    /// Any file of the fixtures.
    static func fixture(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path
    }

    static func file(_ name: String) throws -> AudioClip {
        AudioClip([UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))), encoding: .wav)
    }

    /// A tone at -12 dBFS.
    static func tone(_ duration: Duration) -> [UInt8] {
        let frames = Int(duration / .milliseconds(1)) * 16
        return (0..<frames).flatMap { index -> [UInt8] in
            let value = UInt16(bitPattern: Int16(8_000 * sin(Double(index) * 0.2)))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }

    static func silence(_ duration: Duration) -> [UInt8] {
        [UInt8](repeating: 0, count: Int(duration / .milliseconds(1)) * 32)
    }
}
