// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// What libFuzzer calls with each input: what an agent writes after its handshake, to a client that is in a turn. It
/// must neither trap nor hang, whatever comes.
// libFuzzer brings `main`; this package has none, and so more than one file in each harness.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        await converse(bytes)
        isDone.signal()
    }
    isDone.wait()
    return 0
}
