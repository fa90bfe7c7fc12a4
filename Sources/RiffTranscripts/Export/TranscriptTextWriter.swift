// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sessions and messages as text.
struct TranscriptTextWriter {
    let format: TranscriptFormat
    let exportedAt: Double

    /// Returns the text above a session's messages.
    func bytes(_ session: TranscriptSession) -> [UInt8] {
        let title = InertText.line(session.title ?? session.id)
        switch format {
        case .jsonLines: return session.line.bytes() + [0x0A]
        case .text:
            let rule = String(repeating: "\u{2500}", count: 50)
            return Array(
                """
                Transcript: \(title)
                Exported: \(Self.time(exportedAt))
                Messages: \(session.messageCount)
                \(rule)


                """.utf8
            )
        case .markdown:
            var lines = ["# \(title)", "", "- Session: \(Self.code(session.id))"]
            if let model = session.model { lines.append("- Model: \(Self.code(model))") }
            if let directory = session.directory { lines.append("- Directory: \(Self.code(directory))") }
            if let time = session.createdAt { lines.append("- Began: \(Self.time(time))") }
            lines.append("- Messages: \(session.messageCount)")
            return Array((lines + ["", ""]).joined(separator: "\n").utf8)
        }
    }

    func bytes(_ messages: [ChatEntry], of session: TranscriptSession.ID) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages {
            switch format {
            case .jsonLines: bytes += message.line(of: session).bytes() + [0x0A]
            case .text:
                guard !message.text.isEmpty || !message.attachments.isEmpty else { continue }
                bytes += "[\(Self.time(message.time ?? 0))] \(Self.speaker(message.role)):\n\(message.text)\n".utf8
                for file in message.attachments { bytes += "(attached: \(InertText.line(file.name)))\n".utf8 }
                bytes.append(0x0A)
            case .markdown: bytes += markdown(message).utf8
            }
        }
        return bytes
    }

    private func markdown(_ message: ChatEntry) -> String {
        var parts = ["## \(Self.speaker(message.role)) \u{B7} \(Self.time(message.time ?? 0))"]
        if !message.text.isEmpty { parts.append(message.text) }
        for file in message.attachments { parts.append("- Attached: \(Self.code(file.name))") }
        for call in message.toolCalls {
            let status = call.status.map { " (\(InertText.line($0)))" } ?? ""
            parts.append("**Tool** \(Self.code(call.name))\(status)")
            if let input = call.input { parts.append(Self.fenced(input)) }
            if let output = call.output { parts.append(Self.fenced(output)) }
        }
        return parts.joined(separator: "\n\n") + "\n\n"
    }

    private static func speaker(_ role: ChatEntry.Role) -> String {
        switch role {
        case .user: "You"
        case .assistant: "AI"
        case .thought: "AI (thinking)"
        case .tool: "Tool"
        case .system: "System"
        default: InertText.line(role.rawValue)
        }
    }

    private static func time(_ time: Double) -> String {
        Date(timeIntervalSince1970: time).formatted(.iso8601)
    }

    /// A text as code in a line, whatever is in it.
    private static func code(_ text: String) -> String {
        let text = InertText.line(text)
        guard text.contains("`") else { return "`\(text)`" }
        let fence = String(repeating: "`", count: longestRun(text) + 1)
        return "\(fence) \(text) \(fence)"
    }

    private static func fenced(_ json: JSONValue) -> String {
        let text = json.text ?? json.description
        let fence = String(repeating: "`", count: max(3, longestRun(text) + 1))
        return "\(fence)\n\(text)\n\(fence)"
    }

    private static func longestRun(_ text: String) -> Int {
        var (longest, run) = (0, 0)
        for byte in text.utf8 {
            run = byte == 0x60 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
