// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds the web addresses in a peer's words, to be shown to a person. Nothing is opened here.
package enum WebLinks {
    /// The most that are found in one text.
    package static let most = 16
    /// The most bytes that an address has; what is longer is none.
    package static let longestBytes = 2_048

    /// The `http` and `https` addresses in a text, in their order, each once.
    ///
    /// An address ends at a space or at whatever RFC 3986 has no place for, and without the punctuation of the sentence
    /// around it. One that names a user before its host is left out: `https://good.example@bad.example` leads to the
    /// second. Linear in the text.
    ///
    /// - Parameter text: The words.
    /// - Returns: The addresses, printable ASCII.
    package static func links(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var found: [String] = []
        var start = 0
        while start < bytes.count, found.count < most {
            guard let scheme = scheme(bytes, at: start) else {
                start += 1
                continue
            }
            var end = start + scheme
            while end < bytes.count, isPart(bytes[end]) { end += 1 }
            // A host that goes on in another script is another host.
            let goesOn = end < bytes.count && bytes[end] >= 0x80
            if let link = link(bytes[start..<end], host: start + scheme, goesOn), !found.contains(link) {
                found.append(link)
            }
            start = end
        }
        return found
    }

    /// The length of `http://` or `https://` at a place where a word begins.
    private static func scheme(_ bytes: [UInt8], at start: Int) -> Int? {
        guard bytes[start] | 0x20 == UInt8(ascii: "h"), start == 0 || !isAlphanumeric(bytes[start - 1]) else {
            return nil
        }
        return [Array("https://".utf8), Array("http://".utf8)].first { scheme in
            bytes.count - start > scheme.count && bytes[start...].prefix(scheme.count).map { lowered($0) } == scheme
        }?.count
    }

    private static func link(_ bytes: ArraySlice<UInt8>, host: Int, _ goesOn: Bool) -> String? {
        guard bytes.count <= longestBytes else { return nil }
        var bytes = bytes
        // A bracket at the end that closes one of the address's own is part of it.
        var unopened: [UInt8: Int] = [
            UInt8(ascii: ")"): bytes.count { $0 == UInt8(ascii: ")") } - bytes.count { $0 == UInt8(ascii: "(") },
            UInt8(ascii: "]"): bytes.count { $0 == UInt8(ascii: "]") } - bytes.count { $0 == UInt8(ascii: "[") },
        ]
        while let last = bytes.last, isPunctuation(last) {
            if let count = unopened[last] {
                guard count > 0 else { break }
                unopened[last] = count - 1
            }
            bytes.removeLast()
        }
        guard bytes.endIndex > host else { return nil }
        let authority = bytes[host...].prefix { !"/?#".utf8.contains($0) }
        if goesOn, authority.endIndex == bytes.endIndex { return nil }
        guard let first = authority.first, isAlphanumeric(first) || first == UInt8(ascii: "["),
            !authority.contains(UInt8(ascii: "@"))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lowered(byte))
    }

    /// Returns whether an address may have a byte in it (RFC 3986 section 2).
    private static func isPart(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool { ".,;:!?')]*".utf8.contains(byte) }
}
