// Riff
// SPDX-License-Identifier: Apache-2.0

/// A buffer that engines of one thread share for reading: 64 KiB once instead of for each connection.
package final class SSHScratch {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    package init() {}

    deinit { buffer.deallocate() }
}
