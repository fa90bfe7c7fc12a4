// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesSession {
    /// The name for a list: the title, the beginning of the session, or its id; one line.
    public var heading: String {
        for text in [title, preview] {
            let line = InertText.line(text ?? "")
            if !line.isEmpty { return line }
        }
        return InertText.line(id)
    }
}

extension HermesMessage.ToolCall {
    /// The subject on one line: the command, the file, the address, the question, or else the arguments as they are.
    public var summary: String { Self.summary(of: arguments) }

    package static func summary(of arguments: String) -> String {
        guard let object = try? JSONValue(parsing: arguments).object else {
            // What a model wrote wrongly is shown as it wrote it.
            return short(arguments)
        }
        let telling = [
            "command", "cmd", "path", "file_path", "filename", "url", "query", "pattern", "code", "prompt", "goal",
        ]
        for key in telling {
            if let text = object[key]?.text, !text.isEmpty { return short(text) }
        }
        return object.isEmpty ? "" : short(arguments)
    }

    private static func short(_ text: String) -> String {
        let line = InertText.line(String(text.prefix(400)))
        return line.count > 160 ? line.prefix(159) + "\u{2026}" : line
    }
}
