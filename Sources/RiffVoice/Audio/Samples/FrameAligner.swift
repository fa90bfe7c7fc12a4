// Riff
// SPDX-License-Identifier: Apache-2.0

/// Joins bytes that were cut anywhere into whole frames.
package struct FrameAligner: Sendable {
    package let bytesPerFrame: Int
    private var partial: [UInt8] = []

    package init(bytesPerFrame: Int) { self.bytesPerFrame = bytesPerFrame }

    /// The whole frames that these bytes complete; may be none.
    package mutating func align(_ bytes: [UInt8]) -> [UInt8] {
        var whole = partial.isEmpty ? bytes : partial + bytes
        let cut = whole.count % bytesPerFrame
        partial = Array(whole.suffix(cut))
        whole.removeLast(cut)
        return whole
    }
}
