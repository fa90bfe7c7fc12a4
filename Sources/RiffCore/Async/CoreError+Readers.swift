// Riff
// SPDX-License-Identifier: Apache-2.0

extension CoreErrorCode {
    /// Another task already reads a sequence that has one reader at a time.
    public static let hasReader = CoreError.Code(rawValue: "hasReader")
}

extension CoreError {
    /// The error of the second reader.
    ///
    /// - Parameter what: What is read, as in "A byte stream".
    /// - Returns: The error, which says so.
    package static func hasReader(_ what: String) -> CoreError {
        CoreError(.hasReader, "\(what) has one reader at a time, and another task is it; end that one first.")
    }
}
