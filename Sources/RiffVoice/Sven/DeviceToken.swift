// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import RiffCore

extension SvenClient {
    // sample: store: some SecretStore
    /// The token by which a Sven server knows this device: a random UUID, made once and kept from then on.
    ///
    /// ```swift
    /// let token = try await SvenClient.DeviceToken.kept(in: store)
    /// ```
    ///
    /// Whoever has it can speak to the agent as this device, so that it belongs into a ``SecretStore``.
    public enum DeviceToken {
        /// The token under ``SvenContract/tokenName``, made now where there is none. Calls that race get the same one.
        ///
        /// - Parameter store: Where it is kept; on Apple platforms under "after first unlock, this device only".
        /// - Returns: The token.
        /// - Throws: What the store throws. A store that cannot be read makes no new token, which no server would know.
        public static func kept(in store: any SecretStore) async throws -> Secret {
            if let kept = try await store.secret(for: SvenContract.tokenName), !kept.isEmpty { return kept }
            return try await store.insert(make(), for: SvenContract.tokenName)
        }

        /// Forgets the token, so that the next one is new: this device must then be paired again.
        ///
        /// - Parameter store: Where it is kept.
        /// - Throws: What the store throws.
        public static func forget(in store: any SecretStore) async throws {
            try await store.remove(SvenContract.tokenName)
        }

        /// A new random token, kept nowhere.
        package static func make() -> Secret { Secret(UUID().uuidString.lowercased()) }
    }
}
