// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// A notification that comes in parts (OSC 99): one at a time, as long as a person would read.
struct NotificationParts {
    /// The most bytes of a title, and of a text.
    static let longest = 1024

    private var id = ""
    private var title: [UInt8] = []
    private var body: [UInt8] = []

    /// Takes `metadata;payload`.
    ///
    /// - Returns: What is told, where this was its last part.
    mutating func take(_ text: String) -> ScreenEvent? {
        let parts = text.split(byte: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [Substring: Substring] = [:]
        for pair in parts[0].split(byte: ":") {
            let sides = pair.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if sides.count == 2 { keys[sides[0]] = sides[1] }
        }
        let id = String((keys["i"] ?? "").prefix(64))
        if id != self.id { self = NotificationParts(id: id) }
        let payload = parts.count > 1 ? parts[1] : ""
        let bytes = keys["e"] == "1" ? Base64Text.bytes(payload.utf8) : Array(payload.utf8)
        switch keys["p"] ?? "title" {
        case "title": title += bytes.prefix(max(Self.longest - title.count, 0))
        case "body": body += bytes.prefix(max(Self.longest - body.count, 0))
        // Icons, buttons, questions what is known, and the end of one that is shown.
        default: return nil
        }
        guard keys["d"] != "0" else { return nil }
        defer { self = NotificationParts() }
        return Self.event(
            title: String(decoding: title, as: UTF8.self),
            body: String(decoding: body, as: UTF8.self)
        )
    }

    /// A notification of a title and a text, one of which may be empty; `nil` where both are.
    static func event(title: String, body: String) -> ScreenEvent? {
        let (title, body) = (inert(title), inert(body))
        guard !title.isEmpty, !body.isEmpty else {
            let text = title + body
            return text.isEmpty ? nil : .notification(text)
        }
        return .notification(body, title: title)
    }

    /// One harmless line.
    static func inert(_ text: String) -> String {
        InertText.line(String(decoding: text.utf8.prefix(longest), as: UTF8.self))
    }
}
