// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Writes WAV files in memory.
package enum WAVWriter {
    /// A whole file around samples that are all there.
    ///
    /// - Parameters:
    ///   - samples: Interleaved little-endian frames; a cut frame at the end is left out.
    ///   - format: How they are written.
    /// - Returns: The file's bytes.
    /// - Throws: ``CoreError`` with `audioTooLarge` or `audioInvalidFormat`.
    package static func file(_ samples: [UInt8], format: AudioFormat) throws(CoreError) -> [UInt8] {
        guard format.channels > 0 else {
            throw CoreError(.audioInvalidFormat, "Audio of 0 channels cannot be written.")
        }
        let count = samples.count - samples.count % format.bytesPerFrame
        var bytes = try WAVHeader.bytes(of: format, dataBytes: count)
        bytes.reserveCapacity(bytes.count + count)
        bytes += samples.prefix(count)
        return bytes
    }
}
