// Riff
// SPDX-License-Identifier: Apache-2.0

/// The records that the flooding programs write: `0000000|` to `1310719|`, 10 MiB.
///
/// Made of strings and compared at once: a look at every byte takes a minute where a sanitizer looks, too.
package enum FloodRecords {
    private static let count = 1_310_720
    private static let length = 8

    /// A command for `sh`, without a single quote.
    static let command = "exec awk \"BEGIN { for (i = 0; i < \(count); i++) printf \\\"%07d|\\\", i }\""

    /// All of them.
    package static var bytes: [UInt8] {
        let endings = (1000..<2000).map { String("\($0)|".dropFirst()) }
        var text = ""
        for thousand in 0...(count / 1000) {
            let head = String("\(10_000 + thousand)".dropFirst())
            text += head + endings.joined(separator: head)
        }
        return Array(Array(text.utf8)[..<(count * length)])
    }

    /// Throws what is missing or out of its place.
    static func check(_ output: [UInt8]) throws {
        try expect(output.count == count * length, "of 10 MiB came \(output.count) bytes")
        let expected = bytes
        guard output != expected else { return }
        let place = zip(output, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        throw Violation(message: "record \(place / length) is out of its place")
    }
}
