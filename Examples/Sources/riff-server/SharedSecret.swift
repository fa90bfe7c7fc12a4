// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffServer
import RiffVoice

/// The secret that clients sign with.
enum SharedSecret {
    /// The environment with a secret in it: its own, else the one that is kept in a folder, which is made at the first
    /// start. Nobody has to see it: devices get it by a pairing.
    static func completing(_ environment: [String: String], records: String) async throws -> [String: String] {
        guard environment["RIFF_SHARED_SECRET"] == nil else { return environment }
        let store = SecretFileStore(directory: "\(records)/secrets")
        let kept = try await store.insert(RiffSecret.random().text, for: RiffContract.secretName)
        return environment.merging(["RIFF_SHARED_SECRET": String(decoding: kept.bytes, as: UTF8.self)]) { own, _ in own
        }
    }
}
