// Riff
// SPDX-License-Identifier: Apache-2.0

/// The values that an ssh_config file gives one host: the first value of each keyword, as `ssh -G` would find it.
package struct SSHConfigValues: Sendable, Hashable {
    /// The name that was asked for.
    package let alias: String
    /// `HostName`, before its `%h` is expanded; ``alias`` where there is none.
    package var hostName: String?
    /// `User`; the local account where there is none.
    package var user: String?
    /// `Port`; 22 where there is none.
    package var port: Int?
    /// Each `IdentityFile`, in order.
    package var identityFiles: [String] = []
    /// `IdentitiesOnly`.
    package var identitiesOnly: Bool?
    /// `IdentityAgent`: a path, `SSH_AUTH_SOCK`, or `none`.
    package var identityAgent: String?
    /// `ProxyJump`: the hops, first to last; none where it is `none`.
    package var proxyJump: [SSHConfigHop]?
    /// The value of `ProxyCommand`, as it is in the file; empty if it is `none`.
    package var proxyCommand: String?
    /// `UserKnownHostsFile`, each of them; none where it is `none`.
    package var userKnownHostsFiles: [String]?
    /// `HostKeyAlias`.
    package var hostKeyAlias: String?

    package init(alias: String) { self.alias = alias }

    /// The name or address to dial: `HostName` with `%h` and `%%` expanded, or the alias; in lower case.
    package var resolvedHostName: String {
        guard let hostName else { return alias.lowercased() }
        var expanded: [UInt8] = []
        var bytes = Array(hostName.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%"), let next = bytes.first else {
                expanded.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "h"): expanded += alias.utf8
            case UInt8(ascii: "%"): expanded.append(next)
            default: expanded += [byte, next]
            }
            bytes.removeFirst()
        }
        let name = String(decoding: expanded, as: UTF8.self)
        // An IPv6 address may end in the name of an interface.
        return name.utf8.contains(UInt8(ascii: ":")) ? name : name.lowercased()
    }

    /// Takes a line, unless an earlier one has said it already.
    mutating func take(_ keyword: SSHConfigKeyword.Followed, _ line: SSHConfigLine) throws(SSHConfigMistake) {
        switch keyword {
        case .hostName: keep(try one(line), in: \.hostName)
        case .user: keep(try one(line), in: \.user)
        case .hostKeyAlias: keep(try one(line), in: \.hostKeyAlias)
        case .identityAgent: keep(try one(line), in: \.identityAgent)
        case .port: keep(try portNumber(try one(line)), in: \.port)
        case .identitiesOnly: keep(try flag(try one(line)), in: \.identitiesOnly)
        case .identityFile:
            let file = try one(line)
            if !identityFiles.contains(file) { identityFiles.append(file) }
        case .userKnownHostsFile:
            let files = try some(line)
            guard !files.contains("none") || files.count == 1 else {
                throw SSHConfigMistake("has `none` beside other files")
            }
            keep(files == ["none"] ? [] : files, in: \.userKnownHostsFiles)
        case .proxyJump:
            let hops = try jumps(line.rest)
            // The first of these two wins.
            if proxyJump == nil, proxyCommand == nil { proxyJump = hops }
        case .proxyCommand:
            guard !line.rest.isEmpty else { throw SSHConfigMistake("has no value") }
            if proxyJump == nil, proxyCommand == nil { proxyCommand = line.rest == "none" ? "" : line.rest }
        }
    }

    /// The first value of a keyword counts.
    private mutating func keep<Value>(_ value: Value, in place: WritableKeyPath<SSHConfigValues, Value?>) {
        if self[keyPath: place] == nil { self[keyPath: place] = value }
    }

    private func one(_ line: SSHConfigLine) throws(SSHConfigMistake) -> String {
        guard let value = line.arguments.first, !value.isEmpty else { throw SSHConfigMistake("has no value") }
        guard line.arguments.count == 1 else { throw SSHConfigMistake("has more than one value") }
        return value
    }

    private func some(_ line: SSHConfigLine) throws(SSHConfigMistake) -> [String] {
        guard !line.arguments.isEmpty, !line.arguments.contains("") else { throw SSHConfigMistake("has no value") }
        return line.arguments
    }

    private func portNumber(_ text: String) throws(SSHConfigMistake) -> Int {
        guard let port = SSHConfigHop.port(text.utf8) else { throw SSHConfigMistake("has no port number") }
        return port
    }

    private func flag(_ text: String) throws(SSHConfigMistake) -> Bool {
        switch text.lowercased() {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw SSHConfigMistake("is neither `yes` nor `no`")
        }
    }

    private func jumps(_ text: String) throws(SSHConfigMistake) -> [SSHConfigHop] {
        guard !text.isEmpty else { throw SSHConfigMistake("has no value") }
        if text.lowercased() == "none" { return [] }
        var hops: [SSHConfigHop] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let hop = SSHConfigHop(String(part) ?? "") else {
                throw SSHConfigMistake("names a hop that is no host")
            }
            hops.append(hop)
        }
        return hops
    }
}
