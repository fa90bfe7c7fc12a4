// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension HermesHome {
    /// Creates a job by `hermes cron create`, which reads the schedule and decides whether it may be.
    ///
    /// - Parameter draft: The job; it needs a schedule, and a prompt or a skill. The prompt is given in a way that
    ///   other accounts of the host do not see.
    /// - Returns: The job's id.
    /// - Throws: ``DataError`` with `invalidValue` for a draft without a schedule; `TransportError` with
    ///   `programNotFound`, or `commandFailed` and the command's words; the host's own errors; `CancellationError`.
    public func createJob(_ draft: CronJob.Draft) async throws -> CronJob.ID {
        guard let schedule = draft.schedule?.trimmed, !schedule.isEmpty, !schedule.hasPrefix(bytes: "-") else {
            throw DataError(.invalidValue, "A job needs a schedule, such as \"every 2h\".")
        }
        let result = try await hermes.run(
            ["cron", "create"] + draft.options,
            operands: [schedule],
            hidden: draft.prompt.map(Self.operand),
            secrets: [draft.prompt ?? ""]
        )
        let made = result.text.byteLines.compactMap { $0.dropping(prefix: "Created job: ") }.first
        guard let id = made.map(String.init)?.trimmed, !id.isEmpty else { throw Self.unmade(result, "create") }
        return id
    }

    /// Changes a job by `hermes cron edit`.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - draft: The fields to change.
    /// - Throws: ``DataError`` with `invalidValue` for an id that is none; as ``createJob(_:)``.
    public func editJob(_ id: CronJob.ID, _ draft: CronJob.Draft) async throws {
        try Self.checkJob(id)
        var options = draft.options
        if draft.skills == [] { options.append("--clear-skills") }
        if let schedule = draft.schedule { options.append("--schedule=\(schedule)") }
        let result = try await hermes.run(
            ["cron", "edit"] + options,
            operands: [id],
            hidden: draft.prompt.map { "--prompt=\($0)" },
            secrets: [draft.prompt ?? ""]
        )
        guard result.text.byteLines.contains(where: { $0.isSame(bytes: "Updated job: \(id)") }) else {
            throw Self.unmade(result, "edit")
        }
    }

    /// Has a job run now, by `hermes cron run`: agents of today run it at once, and this returns when it ran; older
    /// ones run it at the scheduler's next look. How it went is in the job.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - timeout: How long it may take.
    /// - Throws: As ``editJob(_:_:)``; `TransportError` with `timeout`.
    public func runJob(_ id: CronJob.ID, timeout: Duration = .seconds(600)) async throws {
        try Self.checkJob(id)
        let result = try await hermes.run(["cron", "run"], operands: [id], timeout: timeout)
        // It takes names as well, and ends with status 0 also where there is no such job.
        guard
            result.text.byteLines.contains(where: { $0.hasPrefix(bytes: "Triggered job: ") && $0.contains("(\(id))") })
        else { throw Self.unmade(result, "run") }
    }

    /// An operand that is no option, whatever it begins with: white space before a prompt says nothing.
    private static func operand(_ text: String) -> String { text.hasPrefix(bytes: "-") ? " \(text)" : text }

    private static func checkJob(_ id: String) throws(DataError) {
        guard !id.isEmpty, !id.hasPrefix(bytes: "-"), InertText.line(id).isSame(bytes: id) else {
            throw DataError(.invalidValue, "\"\(InertText.line(id))\" is no job's id.")
        }
    }

    private static func unmade(_ result: CommandResult, _ command: String) -> TransportError {
        let said = InertText.line(String(result.text.suffix(400)))
        return TransportError(.commandFailed, "hermes cron \(command): \(said)")
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
