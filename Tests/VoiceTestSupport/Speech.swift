// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import RiffVoice
internal import TestSupport

/// Recorded speech, and sounds made here.
package enum Speech {
    /// A recording of the fixtures.
    package static func path(_ name: String) -> String { Fixture.path("audio/\(name).wav") }

    package static func file(_ name: String) throws -> AudioClip {
        AudioClip([UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))), encoding: .wav)
    }

    /// A tone at -12 dBFS.
    package static func tone(_ duration: Duration) -> [UInt8] {
        let frames = Int(duration / .milliseconds(1)) * 16
        return (0..<frames).flatMap { index -> [UInt8] in
            let value = UInt16(bitPattern: Int16(8_000 * sin(Double(index) * 0.2)))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }

    package static func silence(_ duration: Duration) -> [UInt8] {
        [UInt8](repeating: 0, count: Int(duration / .milliseconds(1)) * 32)
    }
}
