// Riff
// SPDX-License-Identifier: Apache-2.0

/// File attributes; draft-ietf-secsh-filexfer-02 section 5. What is `nil` is not on the wire.
package struct SFTPAttributes: Sendable, Hashable {
    package var size: UInt64?
    package var owner: Owner?
    package var mode: UInt32?
    package var times: Times?

    package struct Owner: Sendable, Hashable {
        package var user: UInt32
        package var group: UInt32
    }

    package struct Times: Sendable, Hashable {
        package var accessed: UInt32
        package var modified: UInt32
    }

    package init(mode: UInt32? = nil) { self.mode = mode }

    init(from reader: inout SFTPReader) throws(TransportError) {
        let flags = try reader.uint32()
        if flags & 1 != 0 { size = try reader.uint64() }
        if flags & 2 != 0 { owner = Owner(user: try reader.uint32(), group: try reader.uint32()) }
        if flags & 4 != 0 { mode = try reader.uint32() }
        if flags & 8 != 0 { times = Times(accessed: try reader.uint32(), modified: try reader.uint32()) }
        if flags & 0x8000_0000 != 0 {
            // Extensions nobody asked for; a count that lies ends in the middle of a field.
            for _ in 0..<(try reader.uint32()) {
                _ = try reader.string()
                _ = try reader.string()
            }
        }
    }

    func write(to writer: inout SFTPWriter) {
        var flags: UInt32 = 0
        if size != nil { flags |= 1 }
        if owner != nil { flags |= 2 }
        if mode != nil { flags |= 4 }
        if times != nil { flags |= 8 }
        writer.uint32(flags)
        if let size { writer.uint64(size) }
        if let owner {
            writer.uint32(owner.user)
            writer.uint32(owner.group)
        }
        if let mode { writer.uint32(mode) }
        if let times {
            writer.uint32(times.accessed)
            writer.uint32(times.modified)
        }
    }

    /// As the seam tells it. The kind is in the mode bits; a server that sends none is asked for its `ls -l` line.
    package func status(longName: String = "") -> FileStatus {
        let kind: FileStatus.Kind =
            switch (mode.map { $0 & 0o170000 }, longName.first) {
            case (0o100000, _), (nil, "-"): .file
            case (0o040000, _), (nil, "d"): .directory
            case (0o120000, _), (nil, "l"): .symbolicLink
            default: .other
            }
        return FileStatus(
            kind: kind,
            sizeBytes: size ?? 0,
            permissions: mode.map { UInt16($0 & 0o7777) },
            modified: times.map { Double($0.modified) }
        )
    }
}
