// Riff
// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation

/// Signals, told instead of obeyed, until nobody reads them any more.
package enum Signals {
    package static func stream(_ numbers: [Int32]) -> AsyncStream<Int32> {
        // Each is heard once it stands here; of many of one kind the newest ones do.
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { report in
            let queue = DispatchQueue(label: "riff.examples.signals")
            let sources = numbers.map { number in
                // A source only hears what the default action does not take first.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { report.yield(number) }
                source.resume()
                return source
            }
            report.onTermination = { _ in for source in sources { source.cancel() } }
        }
    }
}
