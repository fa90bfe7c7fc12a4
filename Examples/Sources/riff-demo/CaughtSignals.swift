// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Signals that are told to a closure instead of ending the process, while this value is held.
final class CaughtSignals {
    private let sources: [any DispatchSourceSignal]
    private let caught: Caught

    /// Starts to catch; `body` is called on a queue of its own, once for each signal.
    init(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
        let caught = Caught()
        let queue = DispatchQueue(label: "riff.demo.signals")
        sources = numbers.map { number in
            // A source only hears what the default action does not take first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                caught.note(number)
                body(number)
            }
            source.resume()
            return source
        }
        self.caught = caught
    }

    deinit { for source in sources { source.cancel() } }

    /// The first one that came.
    var first: Int32? { caught.first.withLock { $0 } }

    private final class Caught: Sendable {
        let first = Mutex<Int32?>(nil)

        func note(_ number: Int32) { first.withLock { $0 = $0 ?? number } }
    }
}
