// Riff
// SPDX-License-Identifier: Apache-2.0

/// The processes in front of a terminal in which a shell is said to be.
package enum ShellProcess {
    /// Whether a shell that takes commands from the terminal is alone in front: one that runs a script or a command of
    /// its own is not at its prompt, whatever is on the screen.
    ///
    /// - Parameter commandLines: The command lines of the foreground, as `ps` tells them.
    /// - Returns: Whether it is.
    package static func isAtItsPrompt(_ commandLines: [String]) -> Bool {
        guard commandLines.count == 1 else { return false }
        var words = commandLines[0].split(separator: " ")[...]
        guard let program = words.popFirst(), FrontProgram(String(program)) == .shell else { return false }
        while let word = words.popFirst() {
            guard let sign = word.first, "-+".contains(sign) else { return false }
            if takingValues.contains(String(word)) {
                guard words.popFirst() != nil else { return false }
            } else if !word.hasPrefix("--"), word.contains("c") {
                return false
            } else if word.hasPrefix("--command") || word.hasPrefix("--execute") {
                return false
            }
        }
        return true
    }

    /// Options whose value is a word of its own, and which leave the shell interactive.
    private static let takingValues: Set<String> = ["--rcfile", "--init-file", "-o", "+o", "-O", "+O"]
}
