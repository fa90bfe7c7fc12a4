// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: the file into which an agent writes its conversation, as far as receipts of prompts need it.
///
/// To the implementer: the file only grows. Tell another file by another name, so that a mark of an earlier one is not
/// taken for a place in this one.
public protocol PromptRecord: Sendable {
    /// The file's name and its size in bytes now; `nil` while there is no file.
    ///
    /// - Throws: A `RiffError` if the host cannot be asked now.
    func size() async throws -> (name: String, bytes: Int64)?

    /// The bytes of that file from a place on, as many as there are up to a limit.
    ///
    /// - Throws: As ``size()``.
    func read(_ name: String, from offset: Int64, atMost count: Int) async throws -> [UInt8]
}
