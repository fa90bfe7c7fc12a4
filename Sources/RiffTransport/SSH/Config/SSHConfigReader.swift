// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Finds what ssh_config files say of a host, as OpenSSH reads them: the first value of a keyword counts, and a line
/// counts where its `Host` or `Match` does.
package struct SSHConfigReader {
    /// A file of the configuration.
    package struct File: Sendable, Hashable {
        package let path: String
        package let bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
    }

    /// The function that finds the files that `Include` names: its path may begin with `~`, be relative, and have
    /// wildcards.
    package typealias Inclusion = (_ pattern: String) throws(TransportError) -> [File]

    /// The number of levels that files may include each other, as in OpenSSH.
    private static let deepest = 16
    /// The number of files that may be included altogether: files that include each other twice would else be read
    /// 65,536 times.
    package static let mostIncluded = 1024

    private(set) var values: SSHConfigValues
    private let localUser: String
    private let include: Inclusion
    private var ignored: [WildcardPattern] = []
    private var includedCount = 0

    /// - Parameters:
    ///   - alias: The host that is looked for.
    ///   - localUser: The account on this machine.
    ///   - include: Reads included files.
    package init(alias: String, localUser: String, include: @escaping Inclusion) {
        values = SSHConfigValues(alias: alias)
        self.localUser = localUser
        self.include = include
    }

    /// Reads files, the one that counts first first.
    ///
    /// - Returns: The values.
    /// - Throws: `TransportError` with `sshConfigUnreadable`, which names file and line.
    package mutating func read(_ files: [File]) throws(TransportError) -> SSHConfigValues {
        for file in files { try read(file, isActive: true, isNever: false, depth: 0) }
        return values
    }

    private mutating func read(_ file: File, isActive: Bool, isNever: Bool, depth: Int) throws(TransportError) {
        var isActive = isActive
        for (index, bytes) in file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            var spelling = ""
            do {
                guard let line = try SSHConfigLine(bytes) else { continue }
                spelling = line.spelling
                switch SSHConfigKeyword(line.keyword) {
                case .structure(.host): isActive = try matches(hosts: line.arguments) && !isNever
                case .structure(.match): isActive = try matches(line.arguments, isNever: isNever) && !isNever
                case .structure(.ignoreUnknown): ignored += try patterns(line.arguments)
                case .structure(.include):
                    guard depth < Self.deepest else { throw SSHConfigMistake("is included too deep") }
                    guard !line.arguments.isEmpty else { throw SSHConfigMistake("has no value") }
                    for pattern in line.arguments {
                        for part in try include(pattern) {
                            includedCount += 1
                            guard includedCount <= Self.mostIncluded else {
                                throw SSHConfigMistake("includes more than \(Self.mostIncluded) files altogether")
                            }
                            try read(part, isActive: isActive, isNever: !isActive, depth: depth + 1)
                        }
                    }
                case .followed(let keyword):
                    // A mistake is one in a part for other hosts as well.
                    var taken = values
                    try taken.take(keyword, line)
                    if isActive { values = taken }
                case .passedOver: break
                case .refused where !isActive: break
                case .refused:
                    guard !ignored.contains(where: { $0.matches(line.keyword) }) else { break }
                    throw SSHConfigMistake("is not followed by Riff")
                }
            } catch let mistake as SSHConfigMistake {
                throw TransportError(sshConfig: file.path, line: index + 1, spelling, mistake.words)
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(sshConfig: file.path, line: index + 1, spelling, "cannot be read")
            }
        }
    }

    // MARK: Which parts count

    private func patterns(_ arguments: [String]) throws(SSHConfigMistake) -> [WildcardPattern] {
        guard !arguments.isEmpty else { throw SSHConfigMistake("has no value") }
        return arguments.flatMap { $0.lowercased().utf8.split(separator: UInt8(ascii: ",")) }
            .map { WildcardPattern(Array($0)) }
    }

    /// The arguments of `Host`: one must match, and none with a `!`.
    private func matches(hosts: [String]) throws(SSHConfigMistake) -> Bool {
        guard !hosts.isEmpty, !hosts.contains("") else { throw SSHConfigMistake("has no value") }
        return Self.matches(hosts.map { Array($0.utf8)[...] }, values.alias)
    }

    private static func matches(_ patterns: [ArraySlice<UInt8>], _ name: String) -> Bool {
        var isMatched = false
        for pattern in patterns {
            let isNegated = pattern.first == UInt8(ascii: "!")
            guard WildcardPattern(Array(isNegated ? pattern.dropFirst() : pattern)).matches(name) else { continue }
            if isNegated { return false }
            isMatched = true
        }
        return isMatched
    }

    /// The criteria of `Match`: all must hold.
    private func matches(_ arguments: [String], isNever: Bool) throws(SSHConfigMistake) -> Bool {
        guard !arguments.isEmpty else { throw SSHConfigMistake("has no value") }
        var rest = arguments[...]
        var holds = true
        while var criterion = rest.popFirst() {
            var value: String?
            if let sign = criterion.utf8.firstIndex(of: UInt8(ascii: "=")) {
                value = String(criterion[criterion.utf8.index(after: sign)...])
                criterion = String(criterion[..<sign])
            }
            let isNegated = criterion.utf8.first == UInt8(ascii: "!")
            let name = (isNegated ? String(criterion.utf8.dropFirst()) ?? "" : criterion).lowercased()
            if name == "all" {
                guard arguments.count == 1, !isNegated else {
                    throw SSHConfigMistake("has `all` beside other criteria")
                }
                return true
            }
            guard Self.criteria.contains(name) else {
                guard Self.refused.contains(name) else { throw SSHConfigMistake("has an unknown criterion") }
                // Where the part does not count anyhow, nothing is lost.
                guard holds, !isNever else { return false }
                throw SSHConfigMistake("has the criterion `\(name)`, which Riff does not follow")
            }
            guard let list = value ?? rest.popFirst(), !list.isEmpty else { throw SSHConfigMistake("has no value") }
            let patterns = list.utf8.split(separator: UInt8(ascii: ",")).map { Array($0)[...] }
            if Self.matches(patterns, subject(name)) == isNegated { holds = false }
        }
        return holds
    }

    private static let criteria: Set<String> = ["host", "originalhost", "user", "localuser"]
    /// They run a program, ask the network, or read everything twice.
    private static let refused: Set<String> = [
        "exec", "canonical", "final", "tagged", "localnetwork", "command", "sessiontype", "version",
    ]

    private func subject(_ criterion: String) -> String {
        switch criterion {
        case "host": values.resolvedHostName
        case "user": values.user ?? localUser
        case "localuser": localUser
        default: values.alias
        }
    }
}

extension TransportErrorCode {
    /// An ssh_config file cannot be read, or has a line that Riff cannot follow; the message names both.
    public static let sshConfigUnreadable = TransportError.Code(rawValue: "sshConfigUnreadable")
}

extension TransportError {
    init(sshConfig path: String, line: Int, _ keyword: String, _ words: String) {
        let place = "\(InertText.line(path)), line \(line)"
        let subject = keyword.isEmpty ? "this line" : "`\(InertText.line(keyword))`"
        self.init(
            .sshConfigUnreadable,
            "\(place): \(subject) \(words). Change it there, or give the host by its address."
        )
    }
}
