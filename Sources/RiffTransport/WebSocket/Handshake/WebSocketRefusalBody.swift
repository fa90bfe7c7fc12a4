// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The first 64 KiB of the body of an answer that is not 101: as long as it says, in chunks, or up to the end.
struct WebSocketRefusalBody: Sendable {
    private static let limit = 64 << 10
    private let length: Int?
    private let isChunked: Bool
    private var received: [UInt8] = []
    private var chunks: [UInt8] = []
    private(set) var isWhole: Bool

    init(_ head: HTTPResponse) {
        isChunked = head.headerFields[values: .transferEncoding].contains { $0.lowercased().hasSuffix("chunked") }
        length = isChunked ? nil : head.headerFields[.contentLength].flatMap(Self.length)
        isWhole = length == 0 || head.status.code == 204 || head.status.code == 304
    }

    /// The bytes of the body, without the coding.
    var bytes: [UInt8] { isChunked ? chunks : received }

    mutating func receive(_ more: [UInt8]) {
        guard !isWhole else { return }
        received += more.prefix((isChunked ? 2 : 1) * Self.limit - received.count)
        if isChunked { isWhole = unchunk() }
        let enough = min(length ?? .max, Self.limit)
        if bytes.count >= enough || received.count >= 2 * Self.limit {
            isWhole = true
            received = Array(received.prefix(enough))
            chunks = Array(chunks.prefix(enough))
        }
    }

    /// Digits and nothing else (RFC 9110 section 8.6); a field that says something else says nothing.
    private static func length(_ value: String) -> Int? {
        value.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(value) : nil
    }

    /// RFC 9112 section 7.1, as far as it has come; whether the last chunk is there. What is wrong ends it.
    private mutating func unchunk() -> Bool {
        chunks = []
        var rest = received[...]
        while let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[..<end], as: UTF8.self).prefix { $0.isHexDigit }
            guard let count = Int(line, radix: 16), count > 0, count <= Self.limit else { return true }
            rest = rest[(end + 1)...]
            chunks += rest.prefix(count)
            guard rest.count >= count + 2 else { return false }
            rest = rest.dropFirst(count + 2)
        }
        return false
    }
}
