// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesHome {
    /// An editor of a memory file.
    ///
    /// - Parameters:
    ///   - name: Which.
    ///   - limit: The most characters that the agent keeps; see ``memory(_:limit:)``.
    /// - Returns: The model; send it ``MemoryMachine/Event/load`` first.
    public func memoryModel(_ name: MemoryFile.Name, limit: Int? = nil) -> HomeModel<MemoryMachine> {
        let file = memory(name, limit: limit)
        return HomeModel(MemoryMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await file.read()) } catch { return .loadFailed(Problem(error)) }
            case .write(let entries, let old):
                do {
                    return .saved(try await file.write(entries, over: old))
                } catch {
                    return .saveFailed(Problem(error))
                }
            }
        }
    }
}
