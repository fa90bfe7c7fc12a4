// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Network) || canImport(CallKit)
internal import Dispatch

/// Queues on which the system calls back, one call after another; nothing that runs on them waits.
enum CallbackQueue {
    static func make(_ label: String) -> DispatchQueue { DispatchQueue(label: label) }
}
#endif
