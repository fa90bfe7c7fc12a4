// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The replacements for `~` and the tokens with a percent sign in a path of ssh_config(5).
struct SSHConfigTokens: Sendable {
    /// `%d`, and `~`.
    var home: String
    /// `%u`.
    var localUser: String
    /// `%n`.
    var alias: String
    /// `%h`.
    var hostName: String
    /// `%p`.
    var port: Int
    /// `%r`.
    var user: String

    /// A path with everything expanded.
    ///
    /// - Throws: ``SSHConfigMistake`` for a token that Riff does not follow.
    func path(_ text: String) throws(SSHConfigMistake) -> String {
        var expanded: [UInt8] = []
        var bytes = Array(Self.withoutTilde(text, home: home).utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "$"), bytes.first == UInt8(ascii: "{") {
                throw SSHConfigMistake("names a variable of the environment, which Riff does not follow")
            }
            guard byte == UInt8(ascii: "%") else {
                expanded.append(byte)
                continue
            }
            switch bytes.popFirst() {
            case UInt8(ascii: "%"): expanded.append(byte)
            case UInt8(ascii: "d"): expanded += home.utf8
            case UInt8(ascii: "u"): expanded += localUser.utf8
            case UInt8(ascii: "n"): expanded += alias.utf8
            case UInt8(ascii: "h"): expanded += hostName.utf8
            case UInt8(ascii: "p"): expanded += "\(port)".utf8
            case UInt8(ascii: "r"): expanded += user.utf8
            default: throw SSHConfigMistake("has a token with a percent sign that Riff does not follow")
            }
        }
        return String(decoding: expanded, as: UTF8.self)
    }

    /// A path with everything expanded, for an error that a person reads.
    ///
    /// - Throws: `TransportError` with `sshConfigUnreadable`.
    func path(_ text: String, for keyword: String) throws(TransportError) -> String {
        do { return try path(text) } catch {
            let message = "`\(keyword) \(InertText.line(text))` of \(InertText.line(alias)) \(error.words)."
            throw TransportError(.sshConfigUnreadable, message)
        }
    }

    /// Returns a path with its `~/` replaced by the home folder.
    static func withoutTilde(_ path: String, home: String) -> String {
        path.utf8.starts(with: "~/".utf8) ? home + (String(path.utf8.dropFirst()) ?? "") : path
    }
}
