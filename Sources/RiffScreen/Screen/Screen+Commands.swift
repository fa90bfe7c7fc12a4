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
            title = String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(512))
            report(.title(title))
        case 4: queryPalette(text)
        case 7: report(.workingDirectory(text))
        case 8: setLink(text)
        case 9: report(.notification(text))
        case 10, 11, 12: if text == "?" { report(.colorQuery(command: number, index: nil)) }
        case 52: clipboard(text)
        default: break
        }
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
        let isPlain = uri.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !uri.isEmpty, uri.utf8.count <= ScreenLink.maximumBytes, isPlain else { return nil }
        let id = parameters.split(byte: ":").first { $0.hasPrefix("id=") }?.dropFirst(3)
        return ScreenLink(uri: uri, id: id.flatMap { $0.isEmpty ? nil : String($0.prefix(256)) })
    }

    private mutating func clipboard(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let selection = String(parts[0])
        if parts[1] == "?" {
            report(.clipboardRead(selection: selection))
        } else {
            report(.clipboardWrite(selection: selection, base64: String(parts[1])))
        }
    }
}
