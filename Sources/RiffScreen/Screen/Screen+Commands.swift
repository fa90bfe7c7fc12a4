// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension Screen {
    /// An operating system command: a number, `;`, and a text.
    mutating func operatingSystemCommand(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = Int(String(decoding: parts[0], as: UTF8.self)) else { return }
        let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        switch number {
        case 0, 2:
            title = String(String.UnicodeScalarView(InertText.line(text).unicodeScalars.prefix(512)))
            report(.title(title))
        case 4: queryPalette(text)
        case 7: reportDirectory(Substring(text))
        case 8: setLink(text)
        case 9: notify(text)
        case 99: if let event = notification.take(text) { report(event) }
        case 777: notifyWithTitle(text)
        case 10, 11, 12: if text == "?" { report(.colorQuery(command: number, index: nil)) }
        case 52: clipboard(text)
        default: break
        }
    }

    // MARK: Notifications and progress

    /// Handles OSC 9: a text; or, with a number of ConEmu's in front, progress, the working directory and commands that
    /// have a meaning on Windows alone.
    private mutating func notify(_ text: String) {
        let fields = text.split(separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
        guard let number = UInt8(fields[0]), (1...12).contains(number), fields[0] == "\(number)",
            fields.count > 1 || [4, 5, 10, 12].contains(number)
        else {
            if let event = NotificationParts.event(title: "", body: text) { report(event) }
            return
        }
        switch number {
        case 4: if let progress = ScreenProgress(fields.dropFirst()) { report(.progress(progress)) }
        case 9: reportDirectory(text.dropFirst(2))
        default: break
        }
    }

    /// OSC 777: `notify;title;text`.
    private mutating func notifyWithTitle(_ text: String) {
        let fields = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields[0] == "notify", fields.count > 1 else { return }
        let body = fields.count > 2 ? String(fields[2]) : ""
        if let event = NotificationParts.event(title: String(fields[1]), body: body) { report(event) }
    }

    /// A directory, perhaps in quotes; one with controls, or that no system has, is none.
    private mutating func reportDirectory(_ text: Substring) {
        let isQuoted = text.utf8.count > 1 && text.utf8.first == 0x22 && text.utf8.last == 0x22
        let path = String(isQuoted ? text.dropFirst().dropLast() : text)
        guard !path.isEmpty, path.utf8.count <= 4096, InertText.line(path) == path else { return }
        report(.workingDirectory(path))
    }

    private mutating func queryPalette(_ text: String) {
        let parts = text.split(separator: ";")
        guard parts.count == 2, parts[1] == "?", let index = Int(parts[0]) else { return }
        report(.colorQuery(command: 4, index: index))
    }

    /// OSC 8: `params;uri`. An empty address ends the link; one that cannot be one leaves the text without.
    private mutating func setLink(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        var details = pen.details
        details.link = link(String(parts[1]), parameters: parts[0])
        setDetails(details)
    }

    private func link(_ uri: String, parameters: Substring) -> ScreenLink? {
        // Both are written to other terminals: nothing is in them that one would obey, or show in another order.
        guard !uri.isEmpty, uri.utf8.count <= ScreenLink.maximumBytes, InertText.line(uri).isSame(bytes: uri) else {
            return nil
        }
        let id = parameters.split(byte: ":").first { $0.hasPrefix(bytes: "id=") }?.dropFirst(3)
        let name = InertText.line(String(String.UnicodeScalarView((id ?? "").unicodeScalars.prefix(256))))
        return ScreenLink(uri: uri, id: name.isEmpty ? nil : name)
    }

    private mutating func clipboard(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let selection = String(parts[0].unicodeScalars.filter { "cpqs01234567".unicodeScalars.contains($0) }.prefix(16))
        if parts[1] == "?" {
            report(.clipboardRead(selection: selection))
        } else {
            report(.clipboardWrite(selection: selection, base64: parts[1].filter(Base64Text.isPart)))
        }
    }
}
