// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore

/// The messages that a client of a kept agent sends: each has a number, and waits until its arrival was acknowledged.
/// Pure.
package struct KeptOutbound {
    private struct Message {
        let number: UInt64
        let bytes: [UInt8]
    }

    package init() {}

    private var waiting = Deque<Message>()
    private var lastNumber: UInt64 = 0
    /// The number of the last message that was written to the attachment that is open.
    private var sentThrough: UInt64 = 0
    /// The number of bytes that wait.
    package private(set) var bytes = 0

    package var isEmpty: Bool { waiting.isEmpty }

    /// The purpose of a message.
    package enum Purpose {
        /// The agent gets it.
        case message
        /// The agent gets it where the question with this key is not answered yet.
        case answer(key: String)
        /// The agent gets it, and clients are told that a turn began: a prompt, with ``OtherTurn/key(of:from:)``.
        case prompt(key: String)
        /// It is kept for clients that come later: the agent's answer to the handshake.
        case greeting
    }

    /// Adds a message, which ends with a line's end.
    package mutating func add(_ body: some Collection<UInt8>, for purpose: Purpose) {
        lastNumber += 1
        let key =
            switch purpose {
            case .message: "-"
            case .answer(let key), .prompt(let key): key
            case .greeting: "hello"
            }
        let message = Array("\(lastNumber) \(body.count) \(key)\n".utf8) + body
        waiting.append(Message(number: lastNumber, bytes: message))
        bytes += message.count
    }

    /// A client is attached; what was handed over need not be sent again, all else must be.
    package mutating func attached(lastNumber: UInt64) {
        // Of what was never sent nothing was handed over, whatever the host says.
        sentThrough = min(lastNumber, sentThrough)
        acknowledged(sentThrough)
    }

    /// Everything up to a number was handed over.
    package mutating func acknowledged(_ number: UInt64) {
        while let first = waiting.first, first.number <= min(number, sentThrough) {
            bytes -= first.bytes.count
            waiting.removeFirst()
        }
    }

    /// Returns the bytes to write next; `nil` if all are written.
    package mutating func next() -> [UInt8]? {
        guard let last = waiting.last, last.number > sentThrough, let first = waiting.first else { return nil }
        let index = sentThrough >= first.number ? Int(sentThrough - first.number) + 1 : 0
        sentThrough = waiting[index].number
        return waiting[index].bytes
    }

    /// The key of an answer: the id that it answers, as text of hexadecimal digits. `nil` where that is longer than a
    /// file's name should be; such an answer is handed over whoever was first.
    package static func key(of id: ACP.RequestID) -> String? {
        let bytes = id.json.bytes()
        guard bytes.count <= 80 else { return nil }
        return HexDigits.text(bytes)
    }
}
