// Riff
// SPDX-License-Identifier: Apache-2.0

import Glibc
import RiffMarkdown

/// Documents on standard input, their HTML on standard output: for a script that compares many with cmark-gfm.
enum Peer {
    /// Three numbers of 32 bits (extensions, bytes per chunk, length) and the text; the answer is a length and the
    /// HTML.
    static func serve() {
        while let header = receive(12) {
            let numbers = stride(from: 0, to: 12, by: 4).map { start in
                header[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            guard let bytes = receive(numbers[2]) else { return }
            let extensions = MarkdownExtensions(rawValue: UInt8(numbers[0] & 63))
            let answer = Array(html(bytes, extensions, tagFilter: numbers[0] & 64 != 0, chunk: numbers[1]).utf8)
            send((0..<4).map { UInt8(truncatingIfNeeded: answer.count >> ($0 * 8)) } + answer)
        }
    }

    private static func html(_ bytes: [UInt8], _ extensions: MarkdownExtensions, tagFilter: Bool, chunk: Int) -> String
    {
        var stream = MarkdownStream(extensions: extensions)
        var blocks: [MarkdownBlock] = []
        func take(_ update: MarkdownUpdate) {
            blocks += update.committed
            for amendment in update.amended { blocks[amendment.block.id] = amendment.block }
        }
        var start = 0
        while start < bytes.count {
            let end = chunk > 0 ? min(start + chunk, bytes.count) : bytes.count
            take(stream.append(bytes: bytes[start..<end]))
            // The picture of the tail is not compared, but it must not fail.
            if chunk > 0 { _ = stream.tail() }
            start = end
        }
        take(stream.finish())
        let renderer = MarkdownHTML.exact(tagFilter: tagFilter)
        return blocks.map { renderer.text(of: $0) }.joined()
    }

    private static func receive(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                read(0, buffer.baseAddress.map { $0 + have }, count - have)
            }
            guard got > 0 else { return nil }
            have += got
        }
        return bytes
    }

    private static func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(1, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
