// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A copy of the first bytes of a stream, for those who need to know how it began although another reader takes it.
final class OutputHead: Sendable {
    private let kept = Mutex<[UInt8]>([])
    private let limit: Int

    init(limit: Int = 16 * 1024) { self.limit = limit }

    /// The first bytes, at most `limit`.
    var bytes: [UInt8] { kept.withLock { $0 } }

    func keep(_ bytes: UnsafeRawBufferPointer) {
        kept.withLock { kept in
            if kept.count < limit { kept.append(contentsOf: bytes.prefix(limit - kept.count)) }
        }
    }
}
