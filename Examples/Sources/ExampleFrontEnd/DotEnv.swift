// Riff
// SPDX-License-Identifier: Apache-2.0

/// Variables out of a file of `NAME=value` lines, as many programs keep their settings (dotenv).
///
/// Empty lines and those that begin with `#` say nothing; `export ` in front of a name is ignored. A value may be in
/// single quotes, where everything stands for itself, or in double quotes, where `\n`, `\"` and `\\` are escapes;
/// without quotes it ends before ` #` and has no white space at its ends. Nothing is expanded.
public enum DotEnv {
    /// Reads a file's text.
    ///
    /// - Parameter text: The text; line ends of any kind.
    /// - Returns: The variables; of a name that comes twice the last one counts.
    /// - Throws: ``DotEnvError``, which says the line's number and quotes no value.
    public static func variables(in text: String) throws(DotEnvError) -> [String: String] {
        var variables: [String: String] = [:]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            var line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if line.hasPrefix("export ") { line = trimmed(line.dropFirst("export ".count)) }
            guard let equals = line.firstIndex(of: "="), isName(trimmed(line[..<equals])),
                let value = value(trimmed(line[line.index(after: equals)...]))
            else { throw DotEnvError(line: index + 1) }
            variables[String(trimmed(line[..<equals]))] = value
        }
        return variables
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && !(name.first?.isNumber ?? true)
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private static func value(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "'" || quote == "\"" else {
            let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
            return text.first == "#" ? "" : String(trimmed(text[..<end]))
        }
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == quote {
                let behind = trimmed(rest)
                return behind.isEmpty || behind.hasPrefix("#") ? value : nil
            }
            guard quote == "\"", character == "\\" else {
                value.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": value.append("\n")
            case "\"": value.append("\"")
            case "\\": value.append("\\")
            case let other?: value += "\\\(other)"
            case nil: return nil
            }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }
}

/// A file of environment variables holds a line that is none.
public struct DotEnvError: Error, CustomStringConvertible {
    /// The line's number, from 1.
    public let line: Int
    /// A text for people, without a value: it may be a secret.
    public var description: String {
        "Line \(line) of the environment file is not NAME=value, or its quotes are not closed."
    }
}
