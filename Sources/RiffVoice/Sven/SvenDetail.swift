// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// The error that a Sven server describes, `{"detail": ...}`: one text, or a list of the fields that it cannot take.
enum SvenDetail: Sendable, Hashable {
    /// One text for the whole request.
    case text(String)
    /// The names of the fields, as far as they look like names.
    case fields([String])

    /// Reads the body of a refusal; `nil` where something else than a Sven server wrote it.
    init?(_ answer: HTTPAnswer) {
        // Not JSON is an answer here too: it is what tells a Sven server from others.
        guard answer.mediaType == "application/json", let json = try? JSONValue(parsing: answer.body) else {
            return nil
        }
        switch json["detail"] {
        case .string(let text): self = .text(text)
        case .array(let list):
            // The place is ["body", "transcript"]; names are shown to a person, so that nothing else passes.
            self = .fields(
                list.compactMap { entry in
                    guard let name = entry["loc"]?.array?.last?.text, RiffIdentifier.isValid(name) else { return nil }
                    return name
                }
            )
        default: return nil
        }
    }

    /// Whether it says this.
    func says(_ words: String) -> Bool { if case .text(let text) = self { text.hasPrefix(words) } else { false } }
}
