// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatEntry {
    /// Whether it is what an older state of the same message became: with more text, attachments or tool calls, or with
    /// calls that went on.
    func isGrown(from old: ChatEntry) -> Bool {
        guard role == old.role, text.utf8.starts(with: old.text.utf8), toolCalls.count >= old.toolCalls.count,
            attachments.starts(with: old.attachments),
            zip(toolCalls, old.toolCalls).allSatisfy({ $0.isSameOrLater(than: $1) })
        else { return false }
        return !text.utf8.elementsEqual(old.text.utf8) || attachments != old.attachments || toolCalls != old.toolCalls
    }
}

extension ChatEntry.ToolCall {
    private var hasEnded: Bool { status.map { ["completed", "failed"].contains($0) } ?? (output != nil) }

    fileprivate func isSameOrLater(than old: ChatEntry.ToolCall) -> Bool {
        guard id == old.id else { return false }
        return !old.hasEnded || hasEnded && (old.output == nil || output == old.output)
    }
}
