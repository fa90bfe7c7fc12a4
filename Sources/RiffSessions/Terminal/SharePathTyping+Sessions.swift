// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffShare

extension TerminalSession: SharePathTyping {
    /// Types the path of a shared file at the prompt, without a Return.
    ///
    /// - Throws: As ``type(_:submit:)``.
    public nonisolated func typeSharedPath(_ text: String) async throws { try await type(text) }
}

extension SessionManager: SharePathTyping {
    /// Types the path of a shared file at the prompt of the session that is shown, without a Return.
    ///
    /// - Throws: As ``type(_:submit:)``.
    public nonisolated func typeSharedPath(_ text: String) async throws { try await type(text) }
}
