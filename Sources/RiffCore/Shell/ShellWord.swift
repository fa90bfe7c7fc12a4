// Riff
// SPDX-License-Identifier: Apache-2.0

/// One argument of a command: literal text, and variables that the shell of the host expands.
///
/// A variable's value is never split or globbed, and text is never expanded: `[.variable("HOME"), .text("/a b")]` is
/// written `"$HOME"'/a b'`, which dash, bash, zsh and fish read as one argument.
public struct ShellWord: Sendable, Hashable {
    /// A part of the argument.
    public enum Part: Sendable, Hashable {
        /// Text as it is.
        case text(String)
        /// The value of an environment variable, by its name without the dollar sign.
        case variable(String)
    }

    /// The parts, in order; together they are one argument.
    public let parts: [Part]

    /// An argument of these parts.
    public init(_ parts: [Part]) { self.parts = parts }
    /// A literal argument.
    public init(_ text: String) { parts = [.text(text)] }

    /// `$HOME`, as the host's shell knows it.
    public static let home = ShellWord([.variable("HOME")])
    /// `$SHELL`, as the host's shell knows it.
    package static let loginShell = ShellWord([.variable("SHELL")])

    /// The argument as it is written on a command line.
    ///
    /// - Returns: One word for dash, bash, zsh and fish.
    /// - Throws: ``CoreError`` with `nulInArgument` or `invalidVariableName`.
    public func quoted() throws(CoreError) -> String {
        var line = ""
        for part in parts {
            switch part {
            case .text(let text):
                if !text.isEmpty || parts.count == 1 { line += try ShellQuoting.quote(text) }
            case .variable(let name):
                guard Self.isVariableName(name) else {
                    throw CoreError(.invalidVariableName, "\"\(name)\" is not the name of an environment variable.")
                }
                line += "\"$\(name)\""
            }
        }
        return line.isEmpty ? "''" : line
    }

    /// The argument as a program would get it.
    ///
    /// - Parameter environment: The variables' values; one that is missing counts as empty, as it does in a shell.
    /// - Returns: The argument.
    public func resolved(in environment: [String: String]) -> String {
        parts.reduce(into: "") { argument, part in
            switch part {
            case .text(let text): argument += text
            case .variable(let name): argument += environment[name] ?? ""
            }
        }
    }

    /// `NAME=VALUE`, for `env` and for options that set a variable.
    package static func assignment(_ name: String, _ value: ShellWord) -> ShellWord {
        guard case .text(let text)? = value.parts.first else { return ShellWord([.text("\(name)=")] + value.parts) }
        return ShellWord([.text("\(name)=\(text)")] + value.parts.dropFirst())
    }

    /// The argument with every text part changed; variables stay.
    package func mapText(_ change: (String) -> String) -> ShellWord {
        ShellWord(
            parts.map { part in
                guard case .text(let text) = part else { return part }
                return .text(change(text))
            }
        )
    }

    private static func isVariableName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension ShellWord: ExpressibleByStringLiteral {
    /// A literal argument.
    public init(stringLiteral value: String) { self.init(value) }
}

extension [ShellWord] {
    /// The words as one command line.
    ///
    /// - Returns: The quoted words with spaces between them.
    /// - Throws: ``CoreError`` with `nulInArgument` or `invalidVariableName`.
    package func quotedLine() throws(CoreError) -> String {
        var words: [String] = []
        for word in self { words.append(try word.quoted()) }
        return words.joined(separator: " ")
    }
}

extension CoreErrorCode {
    /// The text is not a name that a shell could expand.
    public static let invalidVariableName = CoreError.Code(rawValue: "invalidVariableName")
}
