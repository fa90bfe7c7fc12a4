// Riff
// SPDX-License-Identifier: Apache-2.0

/// The namespace of the Agent Client Protocol's own types, as its schema names them.
///
/// A type reads what a peer sent by the tolerance that the schema itself asks for, keeps what it does not know in
/// `rest`, and writes all of it again. The folder `Schema/Generated` is written by `scripts/generate-acp-types`.
public enum ACP {
    /// The protocol version that this library speaks.
    public static let version = ProtocolVersion(rawValue: 1)
}
