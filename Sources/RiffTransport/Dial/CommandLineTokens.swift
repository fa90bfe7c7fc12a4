// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A shell line with tokens for the host that is dialed, as `ProxyCommand` of ssh_config(5) has them: `%h` for its
/// name, `%p` for the port, `%r` for the user, `%n` for the name that was asked for, `%%` for a percent sign.
///
/// What stands for a token becomes a part of a shell line, and may come from a link, a QR code or a profile that
/// somebody shared. So it must be made of characters that mean nothing to a shell.
package struct CommandLineTokens: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case text([UInt8])
        case host, port, user, name
    }

    private let parts: [Part]

    /// Reads a line.
    ///
    /// - Throws: `TransportError` with `dialerUnusable` for another token, a percent sign at the end, a NUL byte, or an
    ///   empty line.
    package init(_ line: String) throws(TransportError) {
        var parts: [Part] = []
        var text: [UInt8] = []
        var bytes = Array(line.utf8)[...]
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }), !bytes.contains(0) else {
            throw TransportError(.dialerUnusable, "A command to connect with is a shell line that is not empty.")
        }
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                text.append(byte)
                continue
            }
            let part: Part
            switch bytes.popFirst() {
            case UInt8(ascii: "%"):
                text.append(byte)
                continue
            case UInt8(ascii: "h"): part = .host
            case UInt8(ascii: "p"): part = .port
            case UInt8(ascii: "r"): part = .user
            case UInt8(ascii: "n"): part = .name
            default:
                let message =
                    "The command `\(InertText.quote(line))` has a percent sign that begins none of the tokens %h, %p, "
                    + "%r, %n and %%."
                throw TransportError(.dialerUnusable, message)
            }
            parts += [.text(text), part]
            text = []
        }
        self.parts = parts + [.text(text)]
    }

    /// The line for a host.
    ///
    /// - Throws: `TransportError` with `dialerUnusable` where a token has no value, or one that a shell would read as
    ///   more than a word.
    package func line(for address: HostAddress, user: String?, name: String?) throws(TransportError) -> String {
        var line: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let bytes): line += bytes
            case .host: line += try Self.word(address.name, "%h")
            case .port: line += Array("\(address.port)".utf8)
            case .user: line += try Self.word(user, "%r")
            case .name: line += try Self.word(name ?? address.name, "%n")
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func word(_ value: String?, _ token: String) throws(TransportError) -> [UInt8] {
        guard let value else {
            throw TransportError(.dialerUnusable, "The command has \(token), and nothing was given for it.")
        }
        let bytes = Array(value.utf8)
        guard !bytes.isEmpty, bytes.first != UInt8(ascii: "-"), bytes.allSatisfy(isPlain) else {
            let message =
                "`\(InertText.quote(value))` cannot stand for \(token) in a command: a shell would read more than "
                + "a word in it."
            throw TransportError(.dialerUnusable, message)
        }
        return bytes
    }

    /// Letters, digits, `._-:%@+=,` and what is not ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: Array("._-:%@+=,".utf8).contains(byte)
        }
    }
}
