// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension ProjectRegistry {
    /// A project of a home, as its registry has it.
    public struct Project: Sendable, Hashable, Identifiable {
        /// The project's name, by which it is known.
        public var id: String { name }
        /// The project's name.
        public let name: String
        /// The path of its folder on the host.
        public let path: String
        /// The group it is shown in.
        public let group: String?
        /// Whether it is put away.
        public let isArchived: Bool

        init?(_ json: JSONValue) {
            guard let name = json["name"]?.text, let path = json["path"]?.text, !path.isEmpty else { return nil }
            self.name = name
            self.path = path
            group = json["folder"]?.text
            isArchived = json["archived"]?.bool ?? false
        }
    }
}

/// The projects of a home (`scarf/projects.json`), changed field by field: what this version does not know stays.
///
/// The file has no lock that others take; a change that somebody else made since it was read is detected.
public struct ProjectRegistry: Sendable {
    /// Projects as they were read.
    public struct Snapshot: Sendable, Hashable {
        /// The projects, in order; entries without a name and a path are left out, and left alone.
        public let projects: [ProjectRegistry.Project]
        /// The revision they are.
        package let revision: HostFile.Revision
    }

    /// The file of the registry.
    package let file: HostFile

    /// Reads the projects; a missing file has none.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`; the host's own errors.
    public func read() async throws -> Snapshot {
        let contents = try await file.read()
        return try Self.snapshot(Self.document(contents.bytes, file.path), contents.revision)
    }

    /// Adds a project at the end.
    ///
    /// - Throws: ``DataError`` with `nameTaken`, `fileChanged`; the host's own errors.
    @discardableResult
    public func add(_ name: String, at path: String, group: String? = nil, since old: Snapshot) async throws -> Snapshot
    {
        guard !old.projects.contains(where: { $0.name.isSame(bytes: name) }) else { throw Self.taken(name) }
        return try await change(since: old) { document in
            var json: JSONObject = ["name": .string(name), "path": .string(path)]
            if let group { json["folder"] = .string(group) }
            let count = document[["projects"]]?.array?.count ?? 0
            try document.set(["projects", .element(count)], to: .object(json))
        }
    }

    /// Gives a project another name, a group (`nil` for none), or puts it away.
    ///
    /// - Throws: ``DataError`` with `noSuchProject`, `nameTaken`, `fileChanged`; the host's own errors.
    @discardableResult
    package func change(
        _ name: String,
        name new: String? = nil,
        group: Patch<String> = .keep,
        isArchived: Bool? = nil,
        since old: Snapshot
    ) async throws -> Snapshot {
        if let new, !new.isSame(bytes: name), old.projects.contains(where: { $0.name.isSame(bytes: new) }) {
            throw Self.taken(new)
        }
        return try await change(since: old) { document in
            let path = try Self.path(of: name, in: document)
            switch group {
            case .keep: break
            case .clear: try document.remove(path + ["folder"])
            case .set(let group): try document.set(path + ["folder"], to: .string(group))
            }
            if let isArchived { try document.set(path + ["archived"], to: .bool(isArchived)) }
            if let new { try document.set(path + ["name"], to: .string(new)) }
        }
    }

    /// Takes a project out of the registry; its folder stays.
    @discardableResult
    package func remove(_ name: String, since old: Snapshot) async throws -> Snapshot {
        try await change(since: old) { document in try document.remove(try Self.path(of: name, in: document)) }
    }

    private func change(
        since old: Snapshot,
        _ body: (inout JSONDocument) throws -> Void
    ) async throws -> Snapshot {
        let contents = try await file.read()
        var document = try Self.document(contents.bytes, file.path)
        try body(&document)
        let revision = try await file.replace(with: document.bytes, expecting: old.revision)
        return try Self.snapshot(document, revision)
    }

    private static func document(_ bytes: [UInt8], _ path: String) throws(DataError) -> JSONDocument {
        let isEmpty = bytes.allSatisfy { JSONSpans.isSpace($0) }
        let document = try JSONDocument(parsing: isEmpty ? Array("{\n  \"projects\": []\n}\n".utf8) : bytes)
        guard document.value["projects"]?.array != nil else {
            throw DataError(.fileMalformed, "\(path) is no registry of projects: it has no list of them.")
        }
        return document
    }

    private static func snapshot(_ document: JSONDocument, _ revision: HostFile.Revision) throws(DataError) -> Snapshot
    {
        Snapshot(
            projects: (document.value["projects"]?.array ?? []).compactMap { ProjectRegistry.Project($0) },
            revision: revision
        )
    }

    private static func path(of name: String, in document: JSONDocument) throws(DataError) -> [JSONDocument.Step] {
        let list = document.value["projects"]?.array ?? []
        guard let place = list.firstIndex(where: { $0["name"]?.text?.isSame(bytes: name) == true }) else {
            throw DataError(.noSuchProject, "There is no project \"\(name)\".", recovery: .retry)
        }
        return ["projects", .element(place)]
    }

    private static func taken(_ name: String) -> DataError {
        DataError(.nameTaken, "There is a project \"\(name)\" already.")
    }
}

extension HermesHome {
    /// The registry of projects.
    public var projects: ProjectRegistry { ProjectRegistry(file: file("scarf/projects.json")) }

    /// The file of a project's dashboard.
    package func dashboardFile(of project: ProjectRegistry.Project) -> HostFile {
        HostFile("\(project.path)/.scarf/dashboard.json", on: host, below: project.path, limitBytes: 4 << 20)
    }

    /// Reads a project's dashboard; `nil` where it has none.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`; the host's own errors.
    public func dashboard(of project: ProjectRegistry.Project) async throws -> ProjectDashboard? {
        let contents = try await dashboardFile(of: project).read()
        guard contents.exists else { return nil }
        return ProjectDashboard(document: try JSONDocument(parsing: contents.bytes), revision: contents.revision)
    }

    /// Changes one field of a dashboard, if the file is still as it was read.
    ///
    /// - Returns: The dashboard as it is now.
    /// - Throws: ``DataError`` with `noSuchField`, `fileChanged`; the host's own errors.
    @discardableResult
    package func set(
        _ path: [JSONDocument.Step],
        to value: JSONValue,
        in dashboard: ProjectDashboard,
        of project: ProjectRegistry.Project
    ) async throws -> ProjectDashboard {
        var document = dashboard.document
        try document.set(path, to: value)
        let revision = try await dashboardFile(of: project)
            .replace(with: document.bytes, expecting: dashboard.revision)
        return ProjectDashboard(document: document, revision: revision)
    }
}

extension DataErrorCode {
    /// There is no project with that name.
    public static let noSuchProject = DataError.Code(rawValue: "noSuchProject")
    /// Something has that name already.
    public static let nameTaken = DataError.Code(rawValue: "nameTaken")
}
