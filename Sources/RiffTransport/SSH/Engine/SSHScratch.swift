// Riff
// SPDX-License-Identifier: Apache-2.0

/// A buffer that engines of one thread share for reading: once instead of for each connection. It is as large as a read
/// that opens a window has to be; as little of it takes memory as ever came at once.
package final class SSHScratch {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    package init() {}

    deinit { buffer.deallocate() }
}
