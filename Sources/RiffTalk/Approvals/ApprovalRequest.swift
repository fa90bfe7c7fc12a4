// Riff
// SPDX-License-Identifier: Apache-2.0

/// Something that an agent asks permission for.
public struct ApprovalRequest: Sendable, Hashable, Identifiable {
    /// Names a request as long as it is open; whoever asks makes sure that no other one has it.
    public struct ID: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Any name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Which one it is.
    public let id: ID
    /// What is read out: all that a person must know to answer.
    public var question: String

    /// A request.
    public init(id: ID, question: String) {
        self.id = id
        self.question = question
    }
}
