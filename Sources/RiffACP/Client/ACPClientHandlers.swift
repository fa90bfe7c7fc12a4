// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACPClient {
    /// The handlers of a client for the messages that its agent sends. A message without a handler is not offered to
    /// the agent, and is refused.
    public struct Handlers: Sendable {
        /// An update of any session, in the order in which the agent sent them; the next one waits for its return. It
        /// must not wait for ``ACPClient/prompt(_:in:)``, ``ACPClient/loadSession(_:)`` or
        /// ``ACPClient/resumeSession(_:)``: these return when every update before their answer was handled.
        public var update: (@Sendable (ACP.SessionNotification) async -> Void)?

        /// Asks the person whether a tool may run. Called behind the updates that came before. Cancelled when the turn
        /// is, or when the time is over; an answer then comes too late and is dropped. Without a handler everything is
        /// denied.
        public var permission: (@Sendable (ACPPermissionQuestion) async throws -> ACP.RequestPermissionOutcome)?

        /// Reads a file for the agent, unsaved changes included.
        public var readTextFile: (@Sendable (ACP.ReadTextFileRequest) async throws -> ACP.ReadTextFileResponse)?

        /// Writes a file for the agent; one that is not there is made.
        public var writeTextFile: (@Sendable (ACP.WriteTextFileRequest) async throws -> ACP.WriteTextFileResponse)?

        /// Runs commands for the agent.
        public var terminals: (any ACPTerminals)?

        /// Shows a form to the person. Says who asks; the person sees everything before it is sent.
        public var elicitation:
            (@Sendable (ACP.CreateElicitationRequest) async throws -> ACP.CreateElicitationResponse)?
        /// Whether ``elicitation`` also opens addresses. The person sees the whole address first, and nothing is
        /// fetched before.
        public var opensElicitationURLs = false
        /// An elicitation by address has ended; ids that are not known are ignored.
        public var elicitationCompleted: (@Sendable (ACP.CompleteElicitationNotification) async -> Void)?

        /// Answers a request that the protocol does not define (its name begins with `_`, or it is newer than this
        /// version). Throw ``ACP/RPCError/methodNotFound(_:)`` for one that is not known.
        public var extensionRequest: (@Sendable (_ method: String, _ params: JSONValue) async throws -> JSONValue)?
        /// Takes a notification that the protocol does not define.
        public var extensionNotification: (@Sendable (_ method: String, _ params: JSONValue) async -> Void)?

        /// A function that receives the turns that other clients of a kept agent begin, after the updates that came
        /// before.
        package var otherTurn: (@Sendable (OtherTurn, OtherTurn.State) async -> Void)?

        /// No handler at all.
        public init() {}

        /// The capabilities of this client that are reported to the agent.
        package var capabilities: ACP.ClientCapabilities {
            var capabilities = ACP.ClientCapabilities()
            capabilities.fs = ACP.FileSystemCapabilities(
                readTextFile: readTextFile != nil,
                writeTextFile: writeTextFile != nil
            )
            capabilities.terminal = terminals != nil
            capabilities.session = ACP.ClientSessionCapabilities(
                configOptions: ACP.SessionConfigOptionsCapabilities(boolean: ACP.BooleanConfigOptionCapabilities())
            )
            if elicitation != nil {
                capabilities.elicitation = ACP.ElicitationCapabilities(
                    form: ACP.ElicitationFormCapabilities(),
                    url: opensElicitationURLs ? ACP.ElicitationURLCapabilities() : nil
                )
            }
            return capabilities
        }
    }
}
