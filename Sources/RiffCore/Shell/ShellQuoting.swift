// Riff
// SPDX-License-Identifier: Apache-2.0

/// Text made safe as one argument on a command line, in dash, bash, zsh and fish at once.
///
/// Everything goes between single quotes but the single quote and the backslash, which stand outside of them, each
/// behind a backslash: in fish `\'` and `\\` mean something between single quotes, in the other shells they do not, so
/// no text with them can stand between quotes for all four. Words of plain characters stay bare, for the reader's sake.
///
/// csh and tcsh cannot be served: between single quotes they expand `!` and refuse a line's end.
/// ``LoginShellCommand`` refuses them.
public enum ShellQuoting {
    /// Quotes one argument.
    ///
    /// - Parameter argument: Any text without NUL; the empty text becomes `''`.
    /// - Returns: A word that the four shells read back as exactly these bytes.
    /// - Throws: ``CoreError`` with `nulInArgument`: no program can be given a NUL.
    public static func quote(_ argument: String) throws(CoreError) -> String {
        guard !argument.utf8.contains(0) else {
            let message = "The text holds a NUL character, which no command can be given. Remove it and try again."
            throw CoreError(.nulInArgument, message)
        }
        guard !argument.isEmpty else { return "''" }
        guard !argument.utf8.allSatisfy(isPlain) else { return argument }
        var quoted: [UInt8] = []
        quoted.reserveCapacity(argument.utf8.count + 2)
        var isOpen = false
        for byte in argument.utf8 {
            let standsOutside = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
            if standsOutside == isOpen {
                quoted.append(UInt8(ascii: "'"))
                isOpen.toggle()
            }
            if standsOutside { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        if isOpen { quoted.append(UInt8(ascii: "'")) }
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Quotes each argument and joins them with spaces: a command line of one command.
    ///
    /// - Parameter arguments: The program and its arguments.
    /// - Returns: A line that the four shells split back into exactly these arguments.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    public static func join(_ arguments: [String]) throws(CoreError) -> String {
        var words: [String] = []
        words.reserveCapacity(arguments.count)
        for argument in arguments { words.append(try quote(argument)) }
        return words.joined(separator: " ")
    }

    /// Bytes that mean nothing to any of the shells at any place of a word. `=`, `%`, `~` and `^` are not among them:
    /// zsh, fish or old shells expand words that begin with one.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}

extension CoreErrorCode {
    /// A text that was to become a command's argument holds a NUL.
    public static let nulInArgument = CoreError.Code(rawValue: "nulInArgument")
}
