// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Ends this process with its standard input.
enum InputEnd {
    /// Starts to watch. What comes in is thrown away; at the end the process gets the same SIGTERM that anybody else
    /// would send it, so that it closes in good order.
    static func endsProcess() {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            kill(getpid(), SIGTERM)
        }
    }
}
