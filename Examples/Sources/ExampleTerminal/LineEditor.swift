// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// The line that the person types: bytes in, as their terminal sends them and split anywhere; lines out.
package struct LineEditor {
    package enum Event: Equatable {
        case line(String)
        /// Ctrl-C.
        case interrupt
        /// Ctrl-D on an empty line.
        case end
        /// The arrow up, which moves nothing here.
        case up
        /// The arrow down.
        case down
    }

    package private(set) var text = ""
    private var keys = TypedKeys()
    private var paste = PasteMarks()

    package init() {}

    /// Takes what was typed.
    package mutating func type(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        // An escape character that came before, alone, was the Escape key: Return behind it is Return.
        if bytes.first == 0x0D { _ = keys.pause() }
        for byte in bytes {
            if let event = take(byte) { events.append(event) }
        }
        return events
    }

    private mutating func take(_ byte: UInt8) -> Event? {
        paste.feed(byte)
        if !paste.isPasting {
            switch byte {
            case 0x03: return .interrupt
            case 0x04: return text.isEmpty ? .end : nil
            case 0x15: text = ""
            default: break
            }
        }
        // The Escape key means nothing here; what comes behind it does.
        _ = keys.escape(before: byte)
        switch keys.feed(byte) {
        case .character(let character): text.append(character)
        case .backspace: if !text.isEmpty { text.removeLast() }
        // A text of several lines is pasted as one: only the key sends it.
        case .enter where paste.isPasting: text += "\n"
        case .enter:
            defer { text = "" }
            return .line(text)
        case .up where !paste.isPasting: return .up
        case .down where !paste.isPasting: return .down
        default: break
        }
        return nil
    }
}
