// Riff
// SPDX-License-Identifier: Apache-2.0

/// The server's offer in its first key exchange message (RFC 4253 section 7.1), read beside the engine so that an error
/// can name it.
package struct SSHKexInit: Sendable, Hashable {
    package var keyExchange: [String] = []
    package var hostKey: [String] = []
    package var cipherToServer: [String] = []
    package var cipherToClient: [String] = []
    package var macToServer: [String] = []
    package var macToClient: [String] = []
    package var compressionToServer: [String] = []
    package var compressionToClient: [String] = []

    package init() {}
}
