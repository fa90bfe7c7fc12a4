// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// A tree of files in memory, with the rules and the errors of a real one. No links, no owners; instead of times there
/// are counts of changes.
struct InMemoryFiles {
    private struct Node {
        /// `nil` for a directory.
        var bytes: [UInt8]?
        var permissions: UInt16
        /// Which file it is, and how often it was changed.
        var number = 0
        var version = 0
    }

    private var nodes: [String: Node] = ["/": Node(bytes: nil, permissions: 0o755)]
    private var lastNumber = 0

    init(_ files: [String: [UInt8]]) {
        for (path, bytes) in files {
            let path = Self.absolute(path)
            var directory = Self.parent(of: path)
            while nodes[directory] == nil {
                nodes[directory] = Node(bytes: nil, permissions: 0o755)
                directory = Self.parent(of: directory)
            }
            nodes[path] = make(bytes, 0o644)
        }
    }

    func status(of path: String) -> FileStatus? { nodes[Self.absolute(path)].map(Self.status) }

    func list(_ path: String) throws -> [DirectoryEntry] {
        let directory = Self.absolute(path)
        guard try existing(directory).bytes == nil else { throw failed(path, "is not a directory") }
        return children(of: directory).map { child, node in
            DirectoryEntry(name: String(child.split(byte: "/").last ?? ""), status: Self.status(node))
        }
    }

    func contents(of path: String) throws -> [UInt8] {
        guard let bytes = try existing(Self.absolute(path)).bytes else { throw failed(path, "is a directory") }
        return bytes
    }

    mutating func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) throws {
        let target = Self.absolute(path)
        try requireDirectory(Self.parent(of: target))
        let old = nodes[target]
        if let old, old.bytes == nil { throw failed(path, "is a directory") }
        nodes[target] = make(bytes, permissions ?? old?.permissions ?? 0o600)
        touch(Self.parent(of: target))
    }

    /// Writes behind a file's bytes; one that is missing is made.
    mutating func append(_ bytes: [UInt8], to path: String) throws {
        let target = Self.absolute(path)
        guard nodes[target] != nil else { return try write(bytes, to: path, permissions: 0o644) }
        guard var node = nodes[target], let old = node.bytes else { throw failed(path, "is a directory") }
        node.bytes = old + bytes
        node.version += 1
        nodes[target] = node
    }

    /// Takes a file's bytes away behind a length.
    mutating func truncate(_ path: String, to count: Int) throws {
        let target = Self.absolute(path)
        var node = try existing(target)
        guard let old = node.bytes else { throw failed(path, "is a directory") }
        node.bytes = Array(old.prefix(count))
        node.version += 1
        nodes[target] = node
    }

    func fingerprint(of path: String) -> FileFingerprint? {
        nodes[Self.absolute(path)].map { node in
            FileFingerprint(
                identity: String(node.number),
                sizeBytes: UInt64(node.bytes?.count ?? 0),
                stamp: String(node.version)
            )
        }
    }

    private mutating func make(_ bytes: [UInt8]?, _ permissions: UInt16) -> Node {
        lastNumber += 1
        return Node(bytes: bytes, permissions: permissions, number: lastNumber)
    }

    private mutating func touch(_ directory: String) { nodes[directory]?.version += 1 }

    mutating func rename(_ path: String, to newPath: String) throws {
        let (old, new) = (Self.absolute(path), Self.absolute(newPath))
        let node = try existing(old)
        try requireDirectory(Self.parent(of: new))
        if let there = nodes[new], there.bytes == nil, node.bytes != nil || !children(of: new).isEmpty {
            throw failed(newPath, "is a directory")
        }
        for (child, childNode) in nodes where child.hasPrefix(bytes: old + "/") {
            nodes[child] = nil
            nodes[new + (child.dropping(prefix: old) ?? "")] = childNode
        }
        nodes[old] = nil
        nodes[new] = node
        touch(Self.parent(of: old))
        touch(Self.parent(of: new))
    }

    mutating func remove(_ path: String) throws {
        let target = Self.absolute(path)
        _ = try existing(target)
        guard children(of: target).isEmpty else { throw failed(path, "is not empty") }
        nodes[target] = nil
        touch(Self.parent(of: target))
    }

    mutating func makeDirectory(_ path: String, permissions: UInt16) throws {
        let target = Self.absolute(path)
        try requireDirectory(Self.parent(of: target))
        guard nodes[target] == nil else { throw TransportError(.fileExists, "\(path) in memory is there already.") }
        nodes[target] = make(nil, permissions)
        touch(Self.parent(of: target))
    }

    private func existing(_ path: String) throws -> Node {
        guard let node = nodes[path] else { throw TransportError(.fileNotFound, "\(path) in memory is not there.") }
        return node
    }

    private func requireDirectory(_ path: String) throws {
        guard try existing(path).bytes == nil else { throw failed(path, "is not a directory") }
    }

    private func children(of directory: String) -> [String: Node] {
        let prefix = directory.isSame(bytes: "/") ? "/" : directory + "/"
        return nodes.filter {
            guard let name = $0.key.dropping(prefix: prefix) else { return false }
            return !name.isEmpty && !name.contains(byte: "/")
        }
    }

    private func failed(_ path: String, _ why: String) -> TransportError {
        TransportError(.fileFailed, "\(path) in memory \(why).")
    }

    private static func status(_ node: Node) -> FileStatus {
        FileStatus(
            kind: node.bytes == nil ? .directory : .file,
            sizeBytes: UInt64(node.bytes?.count ?? 0),
            permissions: node.permissions
        )
    }

    /// Relative paths begin at the root, which is this account's home.
    private static func absolute(_ path: String) -> String { "/" + path.split(byte: "/").joined(separator: "/") }

    private static func parent(of path: String) -> String {
        absolute(path.split(byte: "/").dropLast().joined(separator: "/"))
    }
}
