// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Takes what tmux writes in control mode, in pieces of any size, and tells what it says.
///
/// Memory is bounded: what is beyond the longest line, or the longest reply, is dropped. A reply says that it was cut;
/// a notification keeps its beginning.
package struct ControlModeParser: Sendable {
    private struct Block: Sendable {
        var reply: ControlModeReply
        /// `TIME NUMBER FLAGS`, which the closing line repeats.
        let tag: Substring
    }

    private let longestReply: Int
    private var splitter: LineSplitter
    private var block: Block?

    /// A parser at the beginning of the stream.
    ///
    /// - Parameters:
    ///   - longestLine: The most bytes kept of one line.
    ///   - longestReply: The most bytes kept of one command's output.
    package init(longestLine: Int = 64 * 1024, longestReply: Int = 1 << 20) {
        splitter = LineSplitter(limitBytes: longestLine, overflow: .keepsBeginning, stripsCR: false)
        self.longestReply = longestReply
    }

    /// Takes the next bytes.
    ///
    /// - Returns: What was said in the lines that are complete now, in order.
    package mutating func feed(_ bytes: some Collection<UInt8>) -> [ControlModeEvent] {
        var events: [ControlModeEvent] = []
        var rest = Array(bytes)[...]
        while let line = splitter.next(in: &rest) {
            if let event = take(line) { events.append(event) }
        }
        return events
    }

    private mutating func take(_ whole: LineSplitter.Line) -> ControlModeEvent? {
        if block != nil { return takeInBlock(whole) }
        let line = whole.bytes
        guard line.first == UInt8(ascii: "%") else { return .chatter(String(decoding: line, as: UTF8.self)) }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.dropFirst().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, rest) = (String(parts[0]), parts.count > 1 ? parts[1] : "")
        switch name {
        case "begin":
            guard let reply = Self.reply(rest) else { return .chatter(text) }
            block = Block(reply: reply, tag: rest)
            return nil
        case "exit": return .exit(reason: rest.isEmpty ? nil : String(rest))
        case "output", "extended-output": return Self.output(line) ?? .chatter(text)
        default: return .notification(name: name, arguments: String(rest))
        }
    }

    /// In a block, every line but its own closing one is output, whatever it looks like.
    private mutating func takeInBlock(_ whole: LineSplitter.Line) -> ControlModeEvent? {
        guard let tag = block?.tag else { return nil }
        let line = whole.bytes
        if line.first == UInt8(ascii: "%"), !whole.isCut {
            let text = String(decoding: line, as: UTF8.self)
            for (word, isError) in [("%end ", false), ("%error ", true)] where text == word + tag {
                block?.reply.isError = isError
                defer { block = nil }
                return block.map { .reply($0.reply) }
            }
        }
        // In place: a copy for each line would make a long reply of short lines quadratic.
        if whole.isCut || (block?.reply.output.count ?? 0) + line.count + 1 > longestReply {
            block?.reply.isCut = true
        } else {
            block?.reply.output += line
            block?.reply.output.append(UInt8(ascii: "\n"))
        }
        return nil
    }

    private static func reply(_ tag: Substring) -> ControlModeReply? {
        let fields = tag.split(separator: " ")
        guard fields.count == 3, let number = Int(fields[1]), let flags = Int(fields[2]) else { return nil }
        return ControlModeReply(number: number, isOwn: flags & 1 == 1)
    }

    /// `%output PANE BYTES`, or `%extended-output PANE AGE ... : BYTES`.
    private static func output(_ line: ArraySlice<UInt8>) -> ControlModeEvent? {
        let space = UInt8(ascii: " ")
        var fields = line.split(separator: space, maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return nil }
        let pane = String(decoding: fields[1], as: UTF8.self)
        if fields[0].count > "%output".utf8.count {
            let colon = [space, UInt8(ascii: ":"), space]
            guard let start = fields[2].firstRange(of: colon) else { return nil }
            fields[2] = fields[2][start.upperBound...]
        }
        return .output(pane: pane, bytes: unescaped(fields[2]))
    }

    /// Undoes tmux's escapes: a backslash and three octal digits for a control character or a backslash.
    private static func unescaped(_ escaped: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var index = escaped.startIndex
        while index < escaped.endIndex {
            let digits = escaped[index...].dropFirst().prefix(3)
            if escaped[index] == UInt8(ascii: "\\"), digits.count == 3,
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
            {
                let value = digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
                bytes.append(UInt8(truncatingIfNeeded: value))
                index += 4
            } else {
                bytes.append(escaped[index])
                index += 1
            }
        }
        return bytes
    }
}
