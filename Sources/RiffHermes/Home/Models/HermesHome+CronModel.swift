// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesHome {
    /// A list of the scheduled jobs.
    ///
    /// - Parameter now: The time in ISO 8601 with its offset, noted where a job is paused.
    /// - Returns: The model; send it ``CronMachine/Event/load`` first.
    public func cronModel(now: @escaping @Sendable () -> String) -> HomeModel<CronMachine> {
        let cron = cron
        return HomeModel(CronMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await cron.read()) } catch { return .failed(Problem(error)) }
            case .set(let id, let isEnabled, let old):
                do {
                    let new =
                        isEnabled
                        ? try await cron.resume(id, since: old) : try await cron.pause(id, at: now(), since: old)
                    return .loaded(new, changed: id)
                } catch {
                    return .failed(Problem(error), job: id)
                }
            case .remove(let id):
                do {
                    return .loaded(try await cron.remove(id), changed: id)
                } catch {
                    return .failed(Problem(error), job: id)
                }
            }
        }
    }
}
