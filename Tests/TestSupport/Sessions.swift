// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Sessions as tests write them: `riff riff-2`, with a tmux id where it matters (`riff-2$7`).
package enum Sessions {
    package static func names(_ text: String) throws -> [SessionName] {
        try text.split(separator: " ").map { try SessionName(String($0)) }
    }

    package static func live(_ text: String) throws -> [LiveSession] {
        try text.split(separator: " ").enumerated().map { index, word in
            let parts = word.split(separator: "$")
            let id = parts.count > 1 ? "$\(parts[1])" : "$\(index)"
            return LiveSession(name: try SessionName(String(parts[0])), id: id, created: 1, clients: 0, windows: 1)
        }
    }

    /// Pages as a server listed them; the one in brackets is active.
    package static func list(_ text: String) throws -> SessionList {
        var list = SessionList()
        list.apply(SessionDiff(from: list, to: try live(text.filter { !"[]".contains($0) })))
        for word in text.split(separator: " ") where word.hasPrefix("[") {
            list.activate(try SessionName(String(word.dropFirst().dropLast().prefix { $0 != "$" })))
        }
        return list
    }

    package static func text(_ list: SessionList) -> String {
        list.names.map { $0 == list.active ? "[\($0)]" : "\($0)" }.joined(separator: " ")
    }
}
