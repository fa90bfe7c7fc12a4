// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension CronTable {
    /// Creates a presenter of the jobs: those that run next first, those that do not run last.
    ///
    /// - Parameter now: The wall clock, in seconds since 1970-01-01 UTC; noted in a job that is paused.
    /// - Returns: The presenter; nothing is read before it shows something.
    public func live(now: (@Sendable () -> Double)? = nil) -> HermesLive<Never, [CronJob]> { live(of: nil, now: now) }

    /// A presenter whose commands the agent of a home carries out, where there is one.
    func live(of home: HermesHome?, now: (@Sendable () -> Double)?) -> HermesLive<Never, [CronJob]> {
        let now = now ?? WallClock.now
        return HermesLive(CronMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await read()) } catch { return .failed(Problem(error)) }
            case .set(let id, let isEnabled, let old):
                do {
                    let new = isEnabled ? try await resume(id, since: old) : try await pause(id, at: now(), since: old)
                    return .loaded(new, changed: id)
                } catch {
                    return .failed(Problem(error), job: id)
                }
            case .remove(let id):
                do {
                    return .loaded(try await remove(id), changed: id)
                } catch {
                    return .failed(Problem(error), job: id)
                }
            case .perform(let id, let command):
                do {
                    guard let home else {
                        throw DataError(.invalidValue, "These jobs were opened without a home, whose agent does this.")
                    }
                    try await home.perform(command, on: id)
                    return .loaded(try await read(), changed: id)
                } catch {
                    return .failed(Problem(error), job: id)
                }
            }
        }
    }
}

extension HermesHome {
    /// Creates a presenter of the jobs that can also be created, edited and run.
    ///
    /// - Parameter now: The wall clock, in seconds since 1970-01-01 UTC; noted in a job that is paused.
    /// - Returns: The presenter; nothing is read before it shows something.
    public func liveJobs(now: (@Sendable () -> Double)? = nil) -> HermesLive<Never, [CronJob]> {
        cron.live(of: self, now: now)
    }

    fileprivate func perform(_ command: CronMachine.Command, on id: String) async throws {
        switch command {
        case .create(let draft): _ = try await createJob(draft)
        case .edit(let draft): try await editJob(id, draft)
        case .run: try await runJob(id)
        }
    }
}

extension HermesLive where Question == Never, Value == [CronJob] {
    /// Lets a job run, or pauses it.
    public func setEnabled(_ isEnabled: Bool, _ id: CronJob.ID) async {
        await send(.setEnabled(id, isEnabled), to: CronMachine.self)
    }

    /// Removes a job.
    public func remove(_ id: CronJob.ID) async { await send(.remove(id), to: CronMachine.self) }

    /// Creates a job by the agent's own command, and reads the jobs again. Only of ``HermesHome/liveJobs(now:)``.
    public func create(_ draft: CronJob.Draft) async {
        await send(.command(CronMachine.creation, .create(draft)), to: CronMachine.self)
    }

    /// Changes a job by the agent's own command, and reads the jobs again. Only of ``HermesHome/liveJobs(now:)``.
    public func edit(_ id: CronJob.ID, _ draft: CronJob.Draft) async {
        await send(.command(id, .edit(draft)), to: CronMachine.self)
    }

    /// Has a job run, as ``HermesHome/runJob(_:timeout:)`` does, and reads the jobs again. Only of
    /// ``HermesHome/liveJobs(now:)``.
    public func runNow(_ id: CronJob.ID) async { await send(.command(id, .run), to: CronMachine.self) }
}
