// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SharedMediaItem {
    /// The name of a file in a share inbox: `<epoch>-<uuid>.<extension>`. Names sort by time, no two are the same, and
    /// none holds a character that means anything to a shell or a file system.
    public struct Name: Sendable, Hashable {
        /// The name of the file.
        public let text: String
        /// When it was shared, in whole seconds since 1970.
        public let epoch: Int64
        /// The format of the file, by its extension.
        public let format: MediaFormat

        /// A new name for a file that is shared now.
        init(epoch: Int64, format: MediaFormat) {
            self.epoch = max(0, epoch)
            self.format = format
            text = "\(self.epoch)-\(UUID().uuidString).\(format.fileExtension)"
        }

        /// Reads a file's name; `nil` for whatever else lies in the folder: files that are being written, other
        /// people's files.
        ///
        /// - Parameter text: The name without its folder.
        package init?(_ text: String) {
            let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, (1...12).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy(Self.isDigit),
                let epoch = Int64(parts[0])
            else { return nil }
            let rest = parts[1].split(separator: ".", omittingEmptySubsequences: false)
            guard rest.count == 2, rest[0].utf8.count == 36, UUID(uuidString: String(rest[0])) != nil,
                let format = MediaFormat(fileExtension: String(rest[1]))
            else { return nil }
            self.text = text
            self.epoch = epoch
            self.format = format
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    }
}

extension SharedMediaItem.Name: Comparable {
    /// The older one comes first.
    public static func < (one: SharedMediaItem.Name, other: SharedMediaItem.Name) -> Bool {
        (one.epoch, one.text) < (other.epoch, other.text)
    }
}

extension SharedMediaItem.Name: CustomStringConvertible {
    /// The name of the file.
    public var description: String { text }
}

/// A file that waits in a share inbox.
public struct SharedMediaItem: Sendable, Hashable {
    /// The file's name.
    public let name: SharedMediaItem.Name
    /// The file's size in bytes.
    public let sizeBytes: Int64

    /// Creates a file.
    package init(name: SharedMediaItem.Name, sizeBytes: Int64) {
        self.name = name
        self.sizeBytes = sizeBytes
    }
}
