// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension CronJob {
    /// When a scheduled job runs, as the agent writes it down.
    package enum Schedule: Sendable, Hashable {
        /// By a cron expression of five fields or six.
        case cron(String)
        /// Again and again, so many minutes apart.
        case interval(minutes: Int)
        /// Once, at a time in ISO 8601 with its offset.
        case once(at: String)
        /// A kind that this version does not know, as it was written.
        case other(JSONValue)

        /// Reads a schedule.
        package init(_ json: JSONValue) {
            self =
                switch json["kind"]?.text {
                case "cron": json["expr"]?.text.map { .cron($0) } ?? .other(json)
                case "interval":
                    json["minutes"]?.integer.flatMap { Int(exactly: $0) }.map { .interval(minutes: $0) } ?? .other(json)
                case "once": json["run_at"]?.text.map { .once(at: $0) } ?? .other(json)
                default: .other(json)
                }
        }

        /// The schedule as the agent writes it.
        package var json: JSONValue {
            switch self {
            case .cron(let expression):
                ["kind": "cron", "expr": .string(expression), "display": .string(expression)]
            case .interval(let minutes):
                ["kind": "interval", "minutes": .integer(Int64(minutes)), "display": .string("every \(minutes)m")]
            case .once(let time):
                [
                    "kind": "once", "run_at": .string(time),
                    "display": .string("once at \(time.prefix(16).replacing("T", with: " "))"),
                ]
            case .other(let json): json
            }
        }

        /// The schedule in words; see ``CronWords``.
        package var words: String {
            switch self {
            case .cron(let expression): CronExpression(expression).map { CronWords.words(for: $0) } ?? expression
            case .interval(let minutes): CronWords.words(forMinutes: minutes)
            case .once(let time): "Once, on \(time.prefix(10)) at \(time.dropFirst(11).prefix(5))"
            case .other(let json): json["display"]?.text ?? "At times this version does not know"
            }
        }
    }
}

/// A scheduled job: what is read of it, and all of it as it was written.
///
/// Fields that are missing or of another kind than expected are `nil`, and stay in the file as they are.
public struct CronJob: Sendable, Hashable, Identifiable {
    /// Everything, as it was written.
    public let json: JSONObject

    /// Reads a job; `nil` where it has no id.
    package init?(_ json: JSONValue) {
        guard let object = json.object, let id = object["id"]?.text else { return nil }
        self.json = object
        self.id = id
    }

    /// Twelve hexadecimal digits.
    public let id: String
    /// The name; the id where it has none.
    public var name: String { text("name") ?? id }
    /// The text that the agent is asked.
    public var prompt: String? { text("prompt") }
    /// The times at which it runs, in English words; `nil` if it has none.
    public var scheduleWords: String? { schedule?.words }
    package var schedule: CronJob.Schedule? { json["schedule"].map { CronJob.Schedule($0) } }
    /// Whether it runs at all; a job that does not say so does.
    public var isEnabled: Bool { json["enabled"]?.bool ?? true }
    /// `scheduled`, `paused`, `completed`, or what else the agent writes.
    public var state: String? { text("state") }
    /// The destination of the answer: `local`, `origin`, a platform's name.
    public var deliver: String? { text("deliver") }
    /// The skills it uses, also of a job that names a single one.
    public var skills: [String] {
        let list = json["skills"]?.array?.compactMap(\.text) ?? []
        return list.isEmpty ? text("skill").map { [$0] } ?? [] : list
    }
    /// The number of times that the job runs altogether; `nil` for ever.
    package var repeatTimes: Int? { json["repeat"]?["times"]?.integer.flatMap { Int(exactly: $0) } }
    /// The number of times that the job ran.
    package var completedTimes: Int { json["repeat"]?["completed"]?.integer.flatMap { Int(exactly: $0) } ?? 0 }
    /// The time of the next run, in seconds since 1970-01-01 UTC.
    public var nextRun: Double? { nextRunText.flatMap { HermesTime.seconds(of: $0) } }
    /// The time of the last run, in seconds since 1970-01-01 UTC.
    public var lastRun: Double? { text("last_run_at").flatMap { HermesTime.seconds(of: $0) } }
    /// The next run as the agent wrote it.
    package var nextRunText: String? { text("next_run_at") }
    /// The outcome of the last run: `ok`, `error`.
    public var lastStatus: String? { text("last_status") }
    /// The error of the last run.
    public var lastError: String? { text("last_error") }

    private func text(_ name: String) -> String? { json[name]?.text }
}
