// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// The lines of standard input, read on a thread of its own since reading blocks.
package final class InputLines: Sendable {
    private let isStopped = Mutex(false)

    /// Starts to read; `nil` is the end.
    package init(_ take: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread { [self] in
            while let line = readLine() {
                guard !isStopped.withLock(\.self) else { return }
                take(line)
            }
            if !isStopped.withLock(\.self) { take(nil) }
        }
    }

    /// Hands on nothing more; the thread ends with the program.
    package func stop() { isStopped.withLock { $0 = true } }
}

/// Ctrl-C, told instead of ending the program.
package final class Interrupts {
    private let source: any DispatchSourceSignal

    /// Starts to listen.
    package init(_ body: @escaping @Sendable () -> Void) {
        // A source only hears what the default action does not take first.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler { body() }
        source.resume()
    }

    /// Ctrl-C ends the program again.
    package func stop() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
