// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension CoreErrorCode {
    /// An outbox holds as many prompts, or as many bytes of attachments, as it takes; nothing was added.
    public static let outboxFull = CoreError.Code(rawValue: "outboxFull")
    /// A prompt is empty, is too large, or is for an agent whose name cannot be used; nothing was kept.
    public static let invalidPrompt = CoreError.Code(rawValue: "invalidPrompt")
    /// The outbox has no such prompt.
    public static let noSuchPrompt = CoreError.Code(rawValue: "noSuchPrompt")
    /// A prompt's state does not allow what was asked for, such as a change after it was handed over.
    public static let promptStateForbids = CoreError.Code(rawValue: "promptStateForbids")
    /// A file of an outbox is damaged, or of a later version; it is left as it is.
    public static let promptUnreadable = CoreError.Code(rawValue: "promptUnreadable")
}
