// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A handler throws one to answer a request with it.
extension ACP.RPCError: Error {
    /// The method is not known here.
    public static func methodNotFound(_ method: String) -> ACP.RPCError {
        ACP.RPCError(code: .methodNotFound, message: "Method not found: \(InertText.line(method))")
    }

    /// The parameters cannot be used.
    public static func invalidParams(_ reason: String) -> ACP.RPCError {
        ACP.RPCError(code: .invalidParams, message: "Invalid params: \(reason)")
    }

    /// Returns the error that the requested resource does not exist.
    public static func resourceNotFound(_ name: String) -> ACP.RPCError {
        ACP.RPCError(code: .resourceNotFound, message: "Resource not found: \(name)")
    }

    /// Something failed on this side.
    public static func internalError(_ reason: String) -> ACP.RPCError {
        ACP.RPCError(code: .internalError, message: reason)
    }

    /// The request was cancelled.
    public static let cancelled = ACP.RPCError(code: .requestCancelled, message: "The request was cancelled.")

    /// Returns the answer for an error of a handler: itself, a person's words for a ``RiffError``, and nothing private
    /// else.
    static func answering(_ error: any Error) -> ACP.RPCError {
        switch error {
        case let error as ACP.RPCError: error
        case is CancellationError: .cancelled
        case let error as any RiffError: .internalError(error.message)
        default: .internalError("The request failed.")
        }
    }
}
