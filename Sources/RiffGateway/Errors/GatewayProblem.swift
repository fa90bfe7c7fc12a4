// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The description of an error by a gateway, in whichever of the usual forms it has.
///
/// `{"error": {"message", "type", "code"}}`, `{"error": "text"}`, `{"detail": "text"}` and `{"detail": [{"msg"}]}`
/// (FastAPI), or the members of the error at the top.
public struct GatewayProblem: Sendable, Hashable {
    /// Its words, as it wrote them; where there are none, its type or code, or the JSON itself.
    public let message: String
    /// The kind of error, as in `invalid_request_error`.
    public let type: String?
    /// The error's name or number.
    public let code: String?

    /// A problem; for tests and previews.
    package init(message: String, type: String? = nil, code: String? = nil) {
        self.message = message
        self.type = type
        self.code = code
    }

    /// Reads an envelope; `nil` where it says nothing of an error, as `"error": null` does.
    ///
    /// - Parameters:
    ///   - json: The whole object; one in a list is looked at as if it stood alone.
    ///   - isBare: Whether something else says that it is an error, so that its members may stand at the top.
    package init?(envelope json: JSONValue, isBare: Bool) {
        if let first = json.array?.first {
            self.init(envelope: first, isBare: isBare)
            return
        }
        if let problem = GatewayProblem(member: json["error"]) ?? GatewayProblem(member: json["detail"]) {
            self = problem
        } else if isBare || json["type"] == "error" || json["object"] == "error" {
            self.init(error: json)
        } else {
            return nil
        }
    }

    /// Reads the member that holds an error; `nil` where it holds none.
    init?(member: JSONValue?) {
        switch member {
        case nil, .null, false, "": return nil
        case .some(let error): self.init(error: error)
        }
    }

    /// Reads an error itself: an object, a list of them, or a text.
    private init(error: JSONValue) {
        let object = error.array?.first ?? error
        type = Self.word(object["type"])
        code = Self.word(object["code"])
        let texts = [object.text, object["message"]?.text, object["msg"]?.text, object["error"]?.text, type, code]
        message = texts.lazy.compactMap(\.self).first { !$0.isEmpty } ?? error.description
    }

    private static func word(_ json: JSONValue?) -> String? { json?.text ?? json?.integer.map { String($0) } }

    /// The words for a sentence of ours: in one line, without controls, and not longer than one.
    var phrase: String {
        let line = InertText.line(message)
        let short = line.count > 200 ? line.prefix(199) + "\u{2026}" : line[...]
        return short.last.map { ".!?\u{2026}".contains($0) } == true ? String(short) : short + "."
    }
}
