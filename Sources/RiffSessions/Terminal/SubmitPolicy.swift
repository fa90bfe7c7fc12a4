// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Whether Return is pressed after text was typed for a person, and when.
///
/// Return is a write of its own, some time after the text: agents take a Return that comes together with text for a
/// line's end in a paste, and do not send.
package struct SubmitPolicy: Sendable, Hashable {
    /// Whether Return is pressed.
    package var submits: Bool
    /// The time to wait after the text.
    package var delay: Duration

    /// A policy; Return comes 0.3 seconds later unless said otherwise.
    package init(submits: Bool, delay: Duration = .milliseconds(300)) {
        self.submits = submits
        self.delay = delay
    }

    /// Types and does not press Return: the default for dictation.
    package static let typeOnly = SubmitPolicy(submits: false)
    /// Types and presses Return: hands-free turns always do.
    package static let submit = SubmitPolicy(submits: true)

    /// One write to the terminal.
    package struct Write: Sendable, Hashable {
        /// The time to wait after the write before it.
        package let delay: Duration
        /// The bytes to write.
        package let bytes: [UInt8]

        /// Creates a write.
        package init(after delay: Duration, _ bytes: [UInt8]) {
            self.delay = delay
            self.bytes = bytes
        }
    }

    /// The writes that type a text.
    ///
    /// - Parameter text: The text; `nil`, where nothing was recognized, writes nothing, and no Return either.
    /// - Returns: The writes, in order.
    package func writes(_ text: InertText?) -> [Write] {
        guard let text else { return [] }
        let typed = Write(after: .zero, text.bytes)
        return submits ? [typed, Write(after: delay, [0x0D])] : [typed]
    }
}
