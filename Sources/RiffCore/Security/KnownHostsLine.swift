// Riff
// SPDX-License-Identifier: Apache-2.0

/// One line of a known_hosts file: its bytes, and what could be understood of them.
struct KnownHostsLine: Sendable {
    /// The line without its newline.
    let bytes: [UInt8]
    /// `@revoked`, `@cert-authority` or another word with `@`.
    let marker: String?
    private let hosts: HostField
    /// The range of the host field in ``bytes``.
    private let hostRange: Range<Int>

    private enum HostField: Sendable {
        case none
        case hashed(HashedHostName)
        case patterns([HostPattern])
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var fields = bytes.indices.split(maxSplits: 2) { KnownHostsLine.isBlank(bytes[$0]) }
        let first = fields.first.map { bytes[$0.startIndex] }
        if first == UInt8(ascii: "@"), fields.count == 3 {
            marker = String(decoding: bytes[fields[0].startIndex..<fields[0].endIndex], as: UTF8.self)
            let rest = fields[2]
            fields = [fields[1], rest]
        } else {
            marker = nil
        }
        guard let field = fields.first, first != UInt8(ascii: "#"), fields.count > 1 else {
            hosts = .none
            hostRange = 0..<0
            return
        }
        hostRange = field.startIndex..<field.endIndex
        let text = String(decoding: bytes[hostRange], as: UTF8.self)
        if text.hasPrefix("|") {
            hosts = HashedHostName(field: text).map { .hashed($0) } ?? .none
        } else {
            hosts = .patterns(text.split(separator: ",").map { HostPattern(String($0)) })
        }
    }

    /// The key, or `nil` where it is damaged or of a kind that has no wire form (SSH 1). Read on demand, because
    /// checking an ECDSA key costs more than the rest of the line.
    var key: SSHPublicKey? {
        // A line that is not understood is not an error of the file; it is kept and has no key.
        try? SSHPublicKey(line: String(decoding: bytes[hostRange.upperBound...], as: UTF8.self))
    }

    /// Whether the line is about a host.
    func names(_ id: String) -> Bool {
        switch hosts {
        case .none: return false
        case .hashed(let name): return name.matches(id)
        case .patterns(let patterns):
            let hits = patterns.filter { $0.matches(id) }
            return !hits.isEmpty && !hits.contains(where: \.isNegated)
        }
    }

    /// The line without this host, which it names; `nil` where nothing is left of it.
    func removing(_ id: String) -> KnownHostsLine? {
        guard case .patterns(let patterns) = hosts else { return nil }
        var kept = patterns.filter { $0.hasWildcard || $0.isNegated || !$0.matches(id) }
        guard kept.contains(where: { !$0.isNegated }) else { return nil }
        if kept.contains(where: { !$0.isNegated && $0.matches(id) }) { kept.append(HostPattern("!\(id)")) }
        let field = Array(kept.map(\.text).joined(separator: ",").utf8)
        return KnownHostsLine(bytes[..<hostRange.lowerBound] + field + bytes[hostRange.upperBound...])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
