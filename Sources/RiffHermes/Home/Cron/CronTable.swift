// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

/// The jobs of a home (`cron/jobs.json`), changed field by field: what this version does not know stays as it is, byte
/// by byte. Each change is made under the agent's own lock (`cron/.jobs.lock`), on the file as it is then.
public struct CronTable: Sendable {
    /// The jobs as they were read.
    public struct Snapshot: Sendable, Hashable {
        /// The jobs, in order; an entry without an id is left out, and left alone.
        public let jobs: [CronJob]
        /// The revision they are.
        package let revision: HostFile.Revision
        let document: JSONDocument?
    }

    /// The file of the table.
    package let file: HostFile

    /// Reads the jobs; a missing or empty file has none.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`; the host's own errors.
    public func read() async throws -> Snapshot {
        let contents = try await file.read()
        guard !contents.bytes.allSatisfy({ JSONSpans.isSpace($0) }) else {
            return Snapshot(jobs: [], revision: contents.revision, document: nil)
        }
        let table = try CronTableText(contents.bytes, path: file.path)
        return Snapshot(jobs: table.jobs, revision: contents.revision, document: table.document)
    }

    /// Changes fields of a job, and nothing else of the file. Where a field was changed by somebody else since the
    /// snapshot was read, nothing is written; changes of other fields and other jobs are no hindrance.
    ///
    /// - Parameters:
    ///   - fields: New values by the path of a field, such as `["repeat", "times"]`.
    ///   - id: The job.
    ///   - snapshot: What was read.
    /// - Returns: The jobs as they are now.
    /// - Throws: ``DataError`` with `noSuchJob`, `fileChanged`, `fileLocked`, `fileMalformed`; the host's own
    ///   errors.
    @discardableResult
    package func set(
        _ fields: [[JSONDocument.Step]: JSONValue],
        ofJob id: String,
        since snapshot: Snapshot
    ) async throws -> Snapshot {
        let path = file.path
        let old = snapshot.jobs.first { $0.id.isSame(bytes: id) }
        return try await change { table in
            guard let place = table.place(of: id) else { throw Self.noJob(id, path) }
            for (field, value) in fields.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                let whole = table.prefix + [.element(place)] + field
                if let old, Self.value(at: field, in: old.json) != table.document[whole] {
                    throw DataError(
                        .fileChanged,
                        "The job \(id) in \(path) was changed by somebody else since it was read. Read it again.",
                        recovery: .retry
                    )
                }
                try table.document.set(whole, to: value)
            }
        }
    }

    /// Pauses a job, as the agent does.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - time: The time now, in seconds since 1970-01-01 UTC.
    ///   - reason: Why, for those who read it.
    ///   - snapshot: What was read.
    /// - Returns: The jobs as they are now.
    /// - Throws: As ``set(_:ofJob:since:)``.
    @discardableResult
    public func pause(_ id: String, at time: Double, reason: String? = nil, since snapshot: Snapshot) async throws
        -> Snapshot
    {
        try await set(
            [
                ["enabled"]: false, ["state"]: "paused", ["paused_at"]: .string(HermesTime.text(of: time)),
                ["paused_reason"]: reason.map { .string($0) } ?? .null,
            ],
            ofJob: id,
            since: snapshot
        )
    }

    /// Lets a paused job run again. Its next run is left to the agent, which computes one where there is none.
    @discardableResult
    public func resume(_ id: String, since snapshot: Snapshot) async throws -> Snapshot {
        try await set(
            [
                ["enabled"]: true, ["state"]: "scheduled", ["paused_at"]: .null, ["paused_reason"]: .null,
                ["next_run_at"]: .null,
            ],
            ofJob: id,
            since: snapshot
        )
    }

    /// Takes a job away. One that is gone already is no error.
    @discardableResult
    public func remove(_ id: String) async throws -> Snapshot {
        try await change { table in
            if let place = table.place(of: id) { try table.document.remove(table.prefix + [.element(place)]) }
        }
    }

    /// Adds a job behind the others; makes the file where there is none.
    ///
    /// - Throws: ``DataError`` with `noSuchField` for a job without an id, `fileChanged` for an id that is taken.
    @discardableResult
    public func add(_ job: JSONObject) async throws -> Snapshot {
        guard let id = job["id"]?.text, !id.isEmpty else {
            throw DataError(.noSuchField, "A job without an id cannot be added to \(file.path).")
        }
        let path = file.path
        return try await change { table in
            guard table.place(of: id) == nil else {
                throw DataError(.fileChanged, "\(path) has a job with the id \(id) already.")
            }
            try table.document.set(table.prefix + [.element(table.count)], to: .object(job))
        }
    }

    private func change(_ body: @escaping @Sendable (inout CronTableText) throws -> Void) async throws -> Snapshot {
        let path = file.path
        return try await file.change { bytes in
            if bytes.allSatisfy({ JSONSpans.isSpace($0) }) { bytes = Array("{\n  \"jobs\": []\n}".utf8) }
            var table = try CronTableText(bytes, path: path)
            try body(&table)
            bytes = table.document.bytes
            return Snapshot(jobs: table.jobs, revision: HostFile.Revision(of: bytes), document: table.document)
        }
    }

    private static func value(at path: [JSONDocument.Step], in job: JSONObject) -> JSONValue? {
        path.reduce(JSONValue.object(job)) { value, step in
            guard case .member(let name) = step else { return nil }
            return value?[name]
        }
    }

    private static func noJob(_ id: String, _ path: String) -> DataError {
        DataError(.noSuchJob, "\(path) has no job \(id); somebody may have removed it.", recovery: .retry)
    }
}

/// The text of a table of jobs: `{"jobs": [...]}`, or a bare list, which the agent reads as well.
struct CronTableText: Sendable {
    var document: JSONDocument
    let prefix: [JSONDocument.Step]

    init(_ bytes: [UInt8], path: String) throws(DataError) {
        do {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw DataError(.fileMalformed, "\(path) is not a table of jobs: \(error.message)", cause: error)
        }
        if document.value.array != nil {
            prefix = []
        } else if document.value["jobs"]?.array != nil {
            prefix = ["jobs"]
        } else {
            throw DataError(.fileMalformed, "\(path) is not a table of jobs: it has no list of them.")
        }
    }

    private var entries: [JSONValue] { document[prefix]?.array ?? [] }
    var count: Int { entries.count }
    var jobs: [CronJob] { entries.compactMap { CronJob($0) } }
    func place(of id: String) -> Int? { entries.firstIndex { $0["id"]?.text?.isSame(bytes: id) == true } }
}

extension HermesHome {
    /// The scheduled jobs.
    public var cron: CronTable { CronTable(file: file("cron/jobs.json", lock: "cron/.jobs.lock")) }
}

extension DataErrorCode {
    /// There is no job with that id.
    public static let noSuchJob = DataError.Code(rawValue: "noSuchJob")
}
