// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A question of the agent's to the person: may this tool run?
public struct ACPPermissionQuestion: Sendable, Hashable {
    /// The request that the agent sent.
    public let request: ACP.RequestPermissionRequest
    /// What is about to be done, in one line without control characters; from the tool call that was announced before,
    /// where the question itself does not say.
    public let title: String
    /// The possible answers, in the agent's order.
    public let options: [Option]

    /// One answer.
    public struct Option: Sendable, Hashable, Identifiable {
        /// What is sent back.
        public let id: ACP.PermissionOptionID
        /// The text of the option, in one line without control characters.
        public let name: String
        /// The meaning of the option; two options may mean the same.
        public let kind: ACP.PermissionOptionKind
    }

    /// Creates a question from a request.
    ///
    /// - Parameters:
    ///   - request: What the agent sent.
    ///   - announcedTitle: The title under which the tool call was announced.
    package init(_ request: ACP.RequestPermissionRequest, announcedTitle: String? = nil) {
        self.request = request
        let title = InertText.line(request.toolCall.title.value ?? announcedTitle ?? "")
        self.title = title.isEmpty ? "Tool call \(InertText.line(request.toolCall.toolCallID.rawValue))" : title
        options = request.options.map { Option(id: $0.optionID, name: InertText.line($0.name), kind: $0.kind) }
    }

    /// The option that allows this once and nothing more; `nil` where the agent offers none, or several, between which
    /// only a person who sees them can choose.
    public var allowOnce: Option? {
        let matching = options.filter { $0.kind == .allowOnce }
        return matching.count == 1 ? matching.first : nil
    }

    /// The answer with an option.
    public func choosing(_ option: Option) -> ACP.RequestPermissionOutcome {
        .selected(ACP.SelectedPermissionOutcome(optionID: option.id))
    }

    /// The answer that denies, once if the agent lets us; one that offers no way to deny gets `cancelled`. Nothing is
    /// ever allowed by default.
    public var denial: ACP.RequestPermissionOutcome {
        let kinds: [ACP.PermissionOptionKind] = [.rejectOnce, .rejectAlways]
        let option = kinds.lazy.compactMap { kind in options.first { $0.kind == kind } }.first
        return option.map { choosing($0) } ?? .cancelled()
    }
}
