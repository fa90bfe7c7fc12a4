// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Error {
    /// This error if it is one of Riff's, else a ``CoreError`` with the code `cancelled` or `foreign`, this error's
    /// words and this error as its cause: no error is dropped because its type is not known.
    package var asRiffError: any RiffError {
        if let known = self as? any RiffError { return known }
        if self is CancellationError {
            return CoreError(.cancelled, "It was cancelled before it was done.", recovery: .retry, cause: self)
        }
        let words = (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
        let line = InertText.line(String(decoding: words.utf8.prefix(2_000), as: UTF8.self))
        return CoreError(.foreign, line.isEmpty ? String(describing: type(of: self)) : line, cause: self)
    }
}

extension CoreErrorCode {
    /// The task was cancelled.
    public static let cancelled = CoreErrorCode(rawValue: "cancelled")
    /// The error is an app's own, or of another package; the message has its words.
    public static let foreign = CoreErrorCode(rawValue: "foreign")
}
