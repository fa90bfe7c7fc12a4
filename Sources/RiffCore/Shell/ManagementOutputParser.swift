// Riff
// SPDX-License-Identifier: Apache-2.0

/// Takes a ``ManagementCommand``'s standard output in pieces of any size, and finds the output and the status in it.
///
/// Memory is bounded: words of a login profile are dropped as they come, and output beyond the limit ends the parse.
package struct ManagementOutputParser: Sendable {
    /// The event that ended the stream, before or after the end marker.
    package enum End: Sendable, Hashable {
        /// The channel was closed.
        case closed
        /// The time was over.
        case timedOut
    }

    private enum Phase: Sendable { case beforeOutput, output, ended(status: Int), refused(UnsupportedShell), tooLarge }

    /// Longest line kept while looking for the begin marker: more than any marker with a path behind it needs.
    private static let longestChatterLine = 4096
    /// Most digits of an exit status.
    private static let longestStatus = 3

    private let beginLine: [UInt8]
    private let endPrefix: [UInt8]
    private let outputLimit: Int
    private var phase = Phase.beforeOutput
    private var chatter = LineSplitter(
        limitBytes: ManagementOutputParser.longestChatterLine,
        overflow: .keepsBeginning,
        stripsCR: false
    )
    private var output: [UInt8] = []
    private var lineStart = 0

    /// A parser for one run of a command.
    ///
    /// - Parameters:
    ///   - command: The command that is being run.
    ///   - outputLimit: The most bytes of output taken.
    package init(_ command: ManagementCommand, outputLimit: Int = 1 << 20) {
        beginLine = Array("\(ManagementCommand.beginMarker) \(command.nonce)".utf8)
        endPrefix = Array("\(ManagementCommand.endMarker) \(command.nonce) ".utf8)
        self.outputLimit = outputLimit
    }

    /// Whether the outcome is known: nothing more needs to be fed, and the channel can be closed.
    package var isComplete: Bool {
        switch phase {
        case .beforeOutput, .output: false
        case .ended, .refused, .tooLarge: true
        }
    }

    /// Takes the next bytes of standard output; bytes after the outcome is known are ignored.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while case .beforeOutput = phase, let line = chatter.next(in: &rest) { takeChatter(line.bytes) }
        for byte in rest {
            guard case .output = phase else { return }
            takeOutput(byte)
        }
    }

    /// Returns the outcome of the run, now that the stream has ended.
    ///
    /// - Parameter end: Why nothing more comes; it does not matter once ``isComplete``.
    /// - Returns: The outcome.
    package func outcome(at end: End) -> ManagementOutcome {
        switch (phase, end) {
        case (.ended(let status), _): .output(output, status: status)
        case (.refused(let shell), _): .unsupportedShell(shell)
        case (.tooLarge, _): .outputTooLarge(limit: outputLimit)
        case (_, .timedOut): .timeout(partial: output)
        case (_, .closed): output.isEmpty ? .closedEmpty : .closedEarly(partial: output)
        }
    }

    private mutating func takeChatter(_ line: ArraySlice<UInt8>) {
        if line.elementsEqual(beginLine) {
            phase = .output
        } else if let shell = UnsupportedShell(line: String(decoding: line, as: UTF8.self)) {
            phase = .refused(shell)
        }
    }

    private mutating func takeOutput(_ byte: UInt8) {
        output.append(byte)
        if byte == UInt8(ascii: "\n") {
            if let status = status(inLine: output[lineStart..<(output.count - 1)]) {
                // The line's end before the marker was written with it and is not the command's.
                output.removeSubrange((lineStart - 1)...)
                phase = output.count > outputLimit ? .tooLarge : .ended(status: status)
                return
            }
            lineStart = output.count
        }
        // Room for the line's end, the marker and its own line's end, which are not output.
        if output.count - (endPrefix.count + Self.longestStatus + 2) > outputLimit {
            phase = .tooLarge
            output = []
        }
    }

    /// The status, where the line is the end marker; there is always a line's end before one.
    private func status(inLine line: ArraySlice<UInt8>) -> Int? {
        guard lineStart > 0, line.starts(with: endPrefix) else { return nil }
        let digits = line.dropFirst(endPrefix.count)
        guard (1...Self.longestStatus).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
