// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The one place from which the examples write: answers, complaints and logs. `PersonsTerminal` is the other half, for
/// those that have the whole terminal.
package enum Printing {
    package enum Place: Sendable {
        case output
        /// Standard error, for what no script takes for an answer.
        case errors
    }

    package static func write(_ text: HarmlessText, to place: Place = .output) {
        guard !text.text.isEmpty else { return }
        let file = place == .output ? FileHandle.standardOutput : .standardError
        // Who reads it may be gone; the next write says so by a signal.
        try? file.write(contentsOf: Data(text.text.utf8))
    }
}
