// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// An attestation that is a copy of what it vouches for.
package struct Vouching: AttestationProvider {
    package struct Refused: Error {}

    private let fails: Bool

    package init(fails: Bool = false) { self.fails = fails }

    package func assertion(for prompt: SvenClient.AttestedPrompt) async throws -> String {
        if fails { throw Refused() }
        return "for " + String(decoding: prompt.clientData, as: UTF8.self)
    }
}
