// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import Testing

@Suite struct LineFramerTests {
    private func frames(_ text: String, limit: Int = 100, chunk: Int) -> [String] {
        var framer = LineFramer(limit: limit)
        var frames: [ACPFrame] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            frames += framer.push(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        if let last = framer.finish() { frames.append(last) }
        return frames.map { frame in
            switch frame {
            case .line(let line): String(decoding: line, as: UTF8.self)
            case .overlong(let bytes): "<\(bytes)>"
            case .unfinished(let part): "\(String(decoding: part, as: UTF8.self))..."
            }
        }
    }

    @Test(arguments: [
        ("a\nb\n", ["a", "b"]), ("a\r\n\r\n\nb", ["a", "b..."]), ("", []), ("\n", []),
        ("z\u{F6}e\u{1F600}\n", ["z\u{F6}e\u{1F600}"]),
        ("0123456789\n", ["0123456789"]), ("01234567890\nnext\n", ["<11>", "next"]), ("0123456789abcdef", ["<16>"]),
        ("x\n0123456789012345678901234567890\ny\nz", ["x", "<31>", "y", "z..."]), ("\r\n", []), ("a\rb\n", ["a\rb"]),
    ])
    func `lines are the same whatever the chunks`(text: String, expected: [String]) {
        for chunk in 1...max(1, text.utf8.count) {
            #expect(frames(text, limit: 10, chunk: chunk) == expected, "chunks of \(chunk)")
        }
    }
}
