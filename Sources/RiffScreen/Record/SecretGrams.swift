// Riff
// SPDX-License-Identifier: Apache-2.0

/// Secrets that are known, to be found in parts: every eight characters of one, in a row, are it.
///
/// Of what was learnt, the newest 32,768 to 65,536 parts are kept.
struct SecretGrams: Sendable {
    /// The length of a part.
    static let length = 8
    /// Given secrets that are shorter are found whole; from this length on.
    static let shortest = 4
    private static let most = 32_768

    private var given: Set<UInt64> = []
    private var short: [[UInt32]] = []
    private var learnt: Set<UInt64> = []
    private var earlier: Set<UInt64> = []

    /// - Parameter secrets: Those that are known from the beginning.
    init(_ secrets: [[UInt32]]) {
        for secret in secrets {
            let text = secret.filter { $0 > 0x20 }
            if text.count < Self.length {
                if text.count >= Self.shortest { short.append(text) }
            } else {
                for start in 0...text.count - Self.length { given.insert(Self.hash(text[start..<start + Self.length])) }
            }
        }
    }

    /// Learns a secret that was found.
    mutating func learn(_ text: [UInt32]) {
        guard text.count >= Self.length else { return }
        for start in 0...min(text.count, 4096) - Self.length {
            let part = Self.hash(text[start..<start + Self.length])
            if given.contains(part) { continue }
            learnt.insert(part)
        }
        guard learnt.count > Self.most else { return }
        earlier = learnt
        learnt = []
    }

    /// Where parts of secrets are.
    ///
    /// - Parameter text: Characters without the space between them.
    /// - Returns: Ranges of it, in order; they may overlap.
    func find(in text: [UInt32]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for secret in short where text.count >= secret.count {
            for start in 0...text.count - secret.count where text[start] == secret[0] {
                if text[start..<start + secret.count].elementsEqual(secret) {
                    found.append(start..<start + secret.count)
                }
            }
        }
        guard text.count >= Self.length, !(given.isEmpty && learnt.isEmpty && earlier.isEmpty) else { return found }
        for start in 0...text.count - Self.length {
            let part = Self.hash(text[start..<start + Self.length])
            if given.contains(part) || learnt.contains(part) || earlier.contains(part) {
                found.append(start..<start + Self.length)
            }
        }
        return found
    }

    /// Two parts of one value are taken for each other, which hides a few characters too many.
    private static func hash(_ part: ArraySlice<UInt32>) -> UInt64 {
        part.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    }
}
