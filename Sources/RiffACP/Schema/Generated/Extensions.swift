// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ExtRequest` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#extrequest>
    public typealias ExtRequest = JSONValue

    /// `ExtResponse` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#extresponse>
    public typealias ExtResponse = JSONValue

    /// `ExtNotification` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#extnotification>
    public typealias ExtNotification = JSONValue
}
