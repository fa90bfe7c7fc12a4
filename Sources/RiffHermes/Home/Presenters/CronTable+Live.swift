// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension CronTable {
    /// Creates a presenter of the jobs: those that run next first, those that do not run last.
    ///
    /// - Parameter now: The wall clock, in seconds since 1970-01-01 UTC; noted in a job that is paused.
    /// - Returns: The presenter; nothing is read before it shows something.
    public func live(now: (@Sendable () -> Double)? = nil) -> HermesLive<Never, [CronJob]> {
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
            }
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
}
