// Riff
// SPDX-License-Identifier: Apache-2.0

/// Cuts texts to what a notification shows, between characters as a person sees them: no emoji and no letter with its
/// accents is taken apart.
public enum NotificationText {
    /// The most characters that a notification's text has unless said otherwise.
    public static let standardLimit = 250

    private static let ellipsis = "\u{2026}"

    /// A text, or its beginning with an ellipsis in place of the rest and of the space before it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The most characters, the ellipsis among them.
    /// - Returns: The text itself where it is no longer than that; nothing for a limit of 0 or less.
    public static func truncated(_ text: String, limit: Int = standardLimit) -> String {
        guard limit > 0 else { return "" }
        // Never counts the rest of a text, which may be long.
        guard let cut = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), cut < text.endIndex
        else { return text }
        return shortened(text[..<text.index(before: cut)])
    }

    /// The same where a number of bytes counts as well.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The most characters.
    ///   - limitBytes: The most bytes of it inside of the quotation marks of a JSON text.
    /// - Returns: The text as it fits; nothing where not even the ellipsis does.
    package static func truncated(_ text: String, limit: Int, limitBytes: Int) -> String {
        let text = truncated(text, limit: limit)
        guard jsonBytes(text) > limitBytes else { return text }
        var room = limitBytes - jsonBytes(ellipsis)
        guard room >= 0 else { return "" }
        var cut = text.startIndex
        while cut < text.endIndex {
            let sizeBytes = jsonBytes(String(text[cut]))
            guard sizeBytes <= room else { break }
            room -= sizeBytes
            cut = text.index(after: cut)
        }
        return shortened(text[..<cut])
    }

    private static func shortened(_ beginning: Substring) -> String {
        var beginning = beginning
        while beginning.last?.isWhitespace == true { beginning.removeLast() }
        return beginning + ellipsis
    }

    private static func jsonBytes(_ text: String) -> Int { JSONValue.string(text).bytes().count - 2 }
}
