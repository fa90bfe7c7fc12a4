// Riff
// SPDX-License-Identifier: Apache-2.0

/// Event streams as servers write them, the same each time.
enum Sample {
    private static let words = [
        " the", " stream", " of", " tokens", ",", " and", " a", " reply", " grows", ".", "\\n", " caf\u{E9}",
        " \u{2713}",
        " `code`", " 42", " because", " it", " is", " long", " enough",
    ]

    /// Pieces of a reply, each an event of 254 bytes: what a token costs on the wire of the usual services.
    static func chat(bytes: Int) -> [UInt8] {
        var number = 0
        return repeated(bytes) {
            number += 1
            let head =
                "data: {\"id\":\"chatcmpl-9f8a7b6c5d4e\",\"object\":\"chat.completion.chunk\",\"created\":1795230427,"
                + "\"model\":\"gpt-4o-mini\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
                + "\(words[number % words.count])\"},\"logprobs\":null,\"finish_reason\":null}],\"obfuscation\":\""
            let tail = "\"}\n\n"
            let padding = max(0, 254 - head.utf8.count - tail.utf8.count)
            return head + String(repeating: "x", count: padding) + tail
        }
    }

    /// The smallest events there are, 10 bytes each.
    static func bare(bytes: Int) -> [UInt8] { repeated(bytes) { "data: hi\n\n" } }

    /// Lines of a megabyte.
    static func huge(bytes: Int) -> [UInt8] {
        let line = "data: " + String(repeating: "0123456789abcdef", count: 1 << 16) + "\n\n"
        return repeated(bytes) { line }
    }

    /// Signs of life, as one router sends them while a request waits.
    static func comments(bytes: Int) -> [UInt8] { repeated(bytes) { ": OPENROUTER PROCESSING\n\n" } }

    /// One event of many lines.
    static func lines(count: Int) -> [UInt8] {
        Array((String(repeating: "data: line\n", count: count) + "\n").utf8)
    }

    private static func repeated(_ count: Int, _ text: () -> String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + (2 << 20))
        while bytes.count < count { bytes += text().utf8 }
        return bytes
    }
}
