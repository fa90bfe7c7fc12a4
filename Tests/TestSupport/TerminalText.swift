// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import Foundation
package import RiffTransport
internal import Testing

/// Text that a test waits for in a terminal's output.
package struct TerminalText {
    private var iterator: TerminalOutput.Iterator
    package private(set) var text = ""

    package init(_ output: TerminalOutput) { iterator = output.makeAsyncIterator() }

    /// Reads until what was read contains the text; returns all of it, which is then forgotten.
    @discardableResult
    package mutating func read(through needle: String) async throws -> String {
        while true {
            if let range = text.range(of: needle) {
                let found = String(text[..<range.upperBound])
                text = String(text[range.upperBound...])
                return found
            }
            guard let bytes = await iterator.next() else {
                Issue.record("the output ended before \"\(needle)\" came, with: \(text.suffix(2000))")
                throw CancellationError()
            }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads to the end.
    package mutating func rest() async -> String {
        while let bytes = await iterator.next() { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
