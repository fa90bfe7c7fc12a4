// Riff
// SPDX-License-Identifier: Apache-2.0

/// The contents of a known_hosts file (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"), as a value.
///
/// Reads plain and hashed names, `[host]:port`, lists, `*` and `?`, negation, `@revoked` and comments.
/// `@cert-authority` lines are skipped: certificates are not judged here. Lines that are not understood are kept byte
/// for byte, as is every line that a change does not concern.
///
/// A host is looked up under its ``HostPin/id`` and nothing else: not under its IP address, and not under its plain
/// name where the port is not 22.
package struct KnownHosts: Sendable {
    private var lines: [KnownHostsLine]

    /// Reads a file's bytes; nothing in them is an error.
    package init(_ bytes: some Collection<UInt8> = []) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            KnownHostsLine(Array($0))
        }
    }

    /// The file's bytes.
    package var bytes: [UInt8] { Array(lines.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])) }

    /// The keys of a host, in the file's order, each once; without revoked ones.
    package func keys(for pin: HostPin) -> [SSHPublicKey] {
        let id = pin.id
        var seen: Set<SSHPublicKey> = []
        return lines.filter { $0.marker == nil && $0.names(id) }.compactMap(\.key).filter { seen.insert($0).inserted }
    }

    /// Judges a key.
    ///
    /// - Parameters:
    ///   - key: The key that a host showed.
    ///   - pin: The host.
    /// - Returns: `revoked`, `trusted`, `mismatch`, `otherType` or `unknown`.
    package func verdict(on key: SSHPublicKey, for pin: HostPin) -> HostKeyVerdict {
        let id = pin.id
        if lines.contains(where: { $0.marker == "@revoked" && $0.names(id) && $0.key == key }) { return .revoked }
        return HostKeyVerdict(on: key, among: keys(for: pin))
    }

    /// Adds a line for a host.
    ///
    /// - Parameters:
    ///   - key: The host's key; its comment is not written.
    ///   - pin: The host.
    ///   - isHashed: Whether the name is written as a salted hash, so that the file does not tell which hosts are
    ///     known.
    package mutating func add(_ key: SSHPublicKey, for pin: HostPin, isHashed: Bool = false) {
        let name = isHashed ? HashedHostName(pin.id).text : pin.id
        let line = KnownHostsLine(Array("\(name) \(key.keyFields)".utf8))
        // The last element is what follows the last newline: normally nothing.
        if let last = lines.last, last.bytes.isEmpty { lines.removeLast() }
        lines += [line, KnownHostsLine([])]
    }

    /// Removes a host and no other. Its name is taken out of the lists it is in; where it is known by a pattern with
    /// `*` or `?`, it is excluded from that line. Lines with a marker stay.
    ///
    /// - Parameter pin: The host.
    /// - Returns: Whether anything changed.
    @discardableResult
    package mutating func remove(_ pin: HostPin) -> Bool {
        let id = pin.id
        var isChanged = false
        lines = lines.compactMap { line in
            guard line.marker == nil, line.names(id) else { return line }
            isChanged = true
            return line.removing(id)
        }
        return isChanged
    }
}
