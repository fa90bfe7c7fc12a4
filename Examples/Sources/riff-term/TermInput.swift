// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
package import RiffCore

/// What was typed and is not dealt with yet.
struct TermInput {
    private var bytes: [UInt8] = []
    private var position = 0
    private var keys = TypedKeys()
    private var paste = PasteMarks()

    /// Whether what comes now was pasted: that presses no key of riff-term's.
    var isPasting: Bool { paste.isPasting }

    mutating func add(_ new: [UInt8]) { bytes += new }

    /// What comes before the next prefix key, and whether that key follows; it is taken with it.
    mutating func passed() -> (bytes: [UInt8], endsAtPrefix: Bool) {
        let start = position
        while let byte = next() {
            guard byte == TermState.prefix, !isPasting else { continue }
            keys = TypedKeys()
            return (Array(bytes[start..<position - 1]), true)
        }
        return (Array(bytes[start..<position]), false)
    }

    /// The next of riff-term's own keys, the prefix key as `nil`.
    ///
    /// - Returns: Nothing where no key is whole.
    mutating func key() -> TerminalKey?? {
        while position < bytes.count {
            // The Escape key, with another right behind it.
            if let escape = keys.escape(before: bytes[position]) { return escape }
            guard let byte = next() else { break }
            if byte == TermState.prefix, !isPasting { return .some(nil) }
            if let key = keys.feed(byte) { return key }
        }
        return keys.pause().map { .some($0) }
    }

    /// Forgets what is dealt with.
    mutating func clear() { (bytes, position) = ([], 0) }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        paste.feed(bytes[position])
        position += 1
        return bytes[position - 1]
    }
}

extension TermState {
    /// The person typed: bytes as their terminal sent them, split anywhere.
    package mutating func typed(_ bytes: [UInt8]) {
        notice = nil
        input.add(bytes)
    }

    /// What is to be done next of what was typed; what comes after it counts from what it has changed.
    ///
    /// - Parameter active: The session on show.
    /// - Returns: `nil` when all of it is dealt with.
    package mutating func next(active: SessionName) -> Effect? {
        while true {
            if mode == .session {
                let (bytes, endsAtPrefix) = input.passed()
                if endsAtPrefix { become(.command) }
                if !bytes.isEmpty { return .send(bytes) }
                if !endsAtPrefix { break }
            } else {
                guard let key = input.key() else { break }
                if let key, let effect = pressed(key, active) { return effect }
                if key == nil, mode == .command {
                    become(.session)
                    return .send([TermState.prefix])
                }
            }
        }
        input.clear()
        return nil
    }
}
