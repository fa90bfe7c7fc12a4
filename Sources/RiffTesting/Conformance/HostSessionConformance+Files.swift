// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension HostSessionConformance {
    /// A written file reads back byte by byte, empty and large ones too, and is replaced by the next write.
    public func writesAndReads() async throws {
        try await check { room in
            for count in [0, 1, 256, 300_000, 3 << 20, 10] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
                try await session.write(bytes, to: "\(room)/file", permissions: nil)
                let back = try await session.read("\(room)/file", from: 0, count: count + 100)
                try expect(back == bytes, "of \(count) bytes written \(back.count) were read, or other ones")
            }
        }
    }

    /// A part of a file reads from its offset, shorter at the end, empty beyond it.
    public func readsRanges() async throws {
        try await check { room in
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
            try await session.write(bytes, to: "\(room)/file", permissions: nil)
            for (offset, count) in [(0, 10), (99_990, 100), (50_000, 40_000), (100_000, 5), (500_000, 5), (7, 0)] {
                let part = try await session.read("\(room)/file", from: UInt64(offset), count: count)
                let expected = Array(bytes.dropFirst(offset).prefix(count))
                try expect(part == expected, "\(count) bytes from \(offset) are \(part.count) bytes, or other ones")
            }
        }
    }

    /// Kind, length and permissions are told; nothing there is `nil`.
    public func tellsStatus() async throws {
        try await check { room in
            try await session.write([1, 2, 3], to: "\(room)/file", permissions: 0o640)
            let file = try await session.status(of: "\(room)/file")
            try expect(
                file?.kind == .file && file?.sizeBytes == 3 && file?.permissions == 0o640,
                "a file of 3 bytes with 0640 is \(String(describing: file))"
            )
            let directory = try await session.status(of: room)
            try expect(directory?.kind == .directory, "a directory is \(String(describing: directory))")
            for missing in ["\(room)/none", "\(room)/file/none"] {
                let nothing = try await session.status(of: missing)
                try expect(nothing == nil, "where nothing lies is \(String(describing: nothing))")
            }
        }
    }

    /// A replaced file keeps its permissions unless others are given; a new one has 0600.
    public func keepsPermissions() async throws {
        try await check { room in
            let path = "\(room)/file"
            var told: [UInt16?] = []
            for permissions in [nil, 0o755, nil, 0o666] as [UInt16?] {
                try await session.write([65], to: path, permissions: permissions)
                told.append(try await session.status(of: path)?.permissions)
            }
            try expect(
                told == [0o600, 0o755, 0o755, 0o666],
                "written with none, 0755, none, 0666 the permissions were \(told.map { String($0 ?? 0, radix: 8) })"
            )
        }
    }

    /// A directory's entries come with their kinds, without `.` and `..`.
    public func lists() async throws {
        try await check { room in
            let empty = try await session.list(room)
            try expect(empty.isEmpty, "an empty directory lists \(empty.map(\.name))")
            for number in 0..<300 {
                try await session.write([65], to: "\(room)/\(number)", permissions: nil)
            }
            try await session.makeDirectory("\(room)/inner", permissions: 0o755)
            let entries = try await session.list(room)
            try expect(
                Set(entries.map(\.name)) == Set((0..<300).map(String.init) + ["inner"]) && entries.count == 301,
                "of 301 entries \(entries.count) are listed"
            )
            try expect(
                entries.allSatisfy { ($0.status.kind == .directory) == ($0.name == "inner") },
                "a kind is wrong"
            )
        }
    }

    /// Names with spaces, quotes, line feeds, leading dashes and UTF-8 are names.
    public func takesAnyName() async throws {
        try await check { room in
            let names = ["a b", "it's", "\"two\"", "line\nfeed", "-rf", "Grüße 世界 🎈", "$HOME *", "back\\slash", "~"]
            for name in names { try await session.write(Array(name.utf8), to: "\(room)/\(name)", permissions: nil) }
            let listed = try await session.list(room).map(\.name)
            try expect(Set(listed) == Set(names), "wrote \(names) and listed \(listed)")
            for name in names {
                let bytes = try await session.read("\(room)/\(name)", from: 0, count: 100)
                try expect(bytes == Array(name.utf8), "\(name) holds another file's bytes")
            }
        }
    }

    /// A rename moves a file, and replaces one that is there.
    public func renamesOver() async throws {
        try await check { room in
            try await session.write([1], to: "\(room)/one", permissions: nil)
            try await session.write([2], to: "\(room)/two", permissions: nil)
            try await session.rename("\(room)/one", to: "\(room)/two")
            let bytes = try await session.read("\(room)/two", from: 0, count: 10)
            let old = try await session.status(of: "\(room)/one")
            try expect(
                bytes == [1] && old == nil,
                "after a rename the new path holds \(bytes), the old one \(old as Any)"
            )
        }
    }

    /// Files and empty directories are removed; a directory that is not empty is refused.
    public func removes() async throws {
        try await check { room in
            try await session.makeDirectory("\(room)/inner", permissions: 0o700)
            try await session.write([1], to: "\(room)/inner/file", permissions: nil)
            try await expect(.fileFailed, "removing a directory that is not empty") {
                try await session.remove("\(room)/inner")
            }
            try await session.remove("\(room)/inner/file")
            try await session.remove("\(room)/inner")
            let rest = try await session.list(room)
            try expect(rest.isEmpty, "after removing all there is \(rest.map(\.name))")
        }
    }

    /// A directory is made with its permissions; one there already is `fileExists`.
    public func makesDirectories() async throws {
        try await check { room in
            try await session.makeDirectory("\(room)/inner", permissions: 0o750)
            let status = try await session.status(of: "\(room)/inner")
            try expect(
                status?.kind == .directory && status?.permissions == 0o750,
                "a directory made with 0750 is \(String(describing: status))"
            )
            try await expect(.fileExists, "making a directory that is there") {
                try await session.makeDirectory("\(room)/inner", permissions: 0o700)
            }
        }
    }

    /// Operations on something missing throw `fileNotFound`.
    public func tellsWhatIsMissing() async throws {
        try await check { room in
            let missing = "\(room)/none"
            try await expect(.fileNotFound, "reading") { _ = try await session.read(missing, from: 0, count: 1) }
            try await expect(.fileNotFound, "listing") { _ = try await session.list(missing) }
            try await expect(.fileNotFound, "removing") { try await session.remove(missing) }
            try await expect(.fileNotFound, "renaming") { try await session.rename(missing, to: "\(room)/new") }
            try await expect(.fileNotFound, "writing below") {
                try await session.write([1], to: "\(missing)/file", permissions: nil)
            }
            try await expect(.fileNotFound, "making a directory below") {
                try await session.makeDirectory("\(missing)/inner", permissions: 0o700)
            }
        }
    }

    /// A reader of a file that is replaced again and again sees one of its contents, whole.
    public func replacesInOneStep() async throws {
        try await check { room in
            let path = "\(room)/file"
            let size = 200_000
            try await session.write([UInt8](repeating: 0, count: size), to: path, permissions: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for value in 1...30 {
                        try await session.write(
                            [UInt8](repeating: UInt8(value), count: size),
                            to: path,
                            permissions: nil
                        )
                    }
                }
                group.addTask {
                    for _ in 0..<30 {
                        let bytes = try await session.read(path, from: 0, count: size * 2)
                        let isWhole = bytes.count == size && bytes.allSatisfy { $0 == bytes[0] }
                        try expect(
                            isWhole,
                            "a reader saw a part of a file: \(bytes.count) of \(size) bytes, or a mixture"
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// A write that is refused leaves neither the file changed nor anything beside it.
    public func leavesNothingAfterAFailedWrite() async throws {
        try await check { room in
            try await session.makeDirectory("\(room)/inner", permissions: 0o700)
            try await expect(.fileFailed, "writing over a directory") {
                try await session.write([1], to: "\(room)/inner", permissions: nil)
            }
            let names = try await session.list(room).map(\.name)
            try expect(names == ["inner"], "after a refused write there is \(names)")
        }
    }

    /// Links are followed by `status` and not by `list`, and are removed themselves.
    public func followsLinks() async throws {
        try await check { room in
            try await session.write([1, 2], to: "\(room)/file", permissions: nil)
            _ = try await run("ln -s file \(room)/link")
            let status = try await session.status(of: "\(room)/link")
            try expect(
                status?.kind == .file && status?.sizeBytes == 2,
                "a link to a file is \(String(describing: status))"
            )
            let kind = try await session.list(room).first { $0.name == "link" }?.status.kind
            try expect(kind == .symbolicLink, "a link is listed as \(String(describing: kind?.rawValue))")
            try await session.remove("\(room)/link")
            let target = try await session.status(of: "\(room)/file")
            try expect(target != nil, "removing a link removed what it points to")
        }
    }

    /// Operations that the account may not do throw `permissionDenied`.
    public func tellsWhatIsRefused() async throws {
        try await check { room in
            let isRoot = try await run("id -u").text == "0\n"
            if isRoot {
                // The superuser passes every mode bit; the process file system refuses even them.
                guard try await session.status(of: "/proc/version") != nil else { return }
                try await expect(.permissionDenied, "removing a kernel's file") {
                    try await session.remove("/proc/version")
                }
                return
            }
            try await session.makeDirectory("\(room)/shut", permissions: 0o500)
            try await expect(.permissionDenied, "writing into a directory with 0500") {
                try await session.write([1], to: "\(room)/shut/file", permissions: nil)
            }
        }
    }
}
