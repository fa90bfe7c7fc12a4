// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Everything below a folder: kinds, permissions, where links lead, and all bytes.
struct HomeSnapshot: Equatable {
    let entries: [String: String]

    init(_ folder: String) throws {
        var entries: [String: String] = [:]
        let manager = FileManager.default
        for path in try manager.subpathsOfDirectory(atPath: folder) {
            let full = "\(folder)/\(path)"
            let attributes = try manager.attributesOfItem(atPath: full)
            let kind = attributes[.type] as? FileAttributeType
            let mode = attributes[.posixPermissions] as? Int ?? -1
            let what: String
            switch kind {
            case .typeSymbolicLink: what = "-> " + (try manager.destinationOfSymbolicLink(atPath: full))
            case .typeRegular: what = try Data(contentsOf: URL(fileURLWithPath: full)).base64EncodedString()
            default: what = kind?.rawValue ?? "?"
            }
            entries[path] = "\(String(mode, radix: 8)) \(what)"
        }
        self.entries = entries
    }

    /// What a host that this process does not see tells of it.
    init(lines: String) {
        entries = Dictionary(lines.split(separator: "\n").map { (String($0), "") }) { first, _ in first }
    }

    /// What differs, for a message.
    func differences(from other: HomeSnapshot) -> [String] {
        Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }.sorted()
    }
}
