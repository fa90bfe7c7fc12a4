// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A serial executor for an actor whose work blocks: waits for a disk or a lock, C calls that take seconds.
///
/// Its queue is served by threads outside of the cooperative pool, so that a call that blocks stalls this actor alone.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor whose queue shows under this label in a debugger.
    package init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs a job behind those that came before it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
