// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A message of Codex's app-server, told apart by its members: JSON-RPC without a `jsonrpc` member.
package enum CodexMessage: Sendable, Hashable {
    /// The answer to one of our calls.
    case result(Int64, JSONValue)
    /// A refusal of one of our calls.
    case refusal(Int64, code: Int64, message: String)
    /// The server asks, and waits for an answer with this id.
    case request(id: JSONValue, method: String, parameters: JSONValue)
    /// The server tells something.
    case notification(method: String, parameters: JSONValue)
    /// None of these.
    case malformed

    /// Reads a message.
    package init(_ json: JSONValue) {
        if let method = CodexName.read(json["method"]) {
            let parameters = json["params"] ?? .null
            if let id = json["id"] {
                guard CodexName.request(id) != nil else {
                    self = .malformed
                    return
                }
                self = .request(id: id, method: method, parameters: parameters)
            } else {
                self = .notification(method: method, parameters: parameters)
            }
        } else if case .integer(let id)? = json["id"] {
            if let result = json["result"] {
                self = .result(id, result)
            } else if let error = json["error"] {
                let text = InertText.quote(error["message"]?.text ?? "no reason")
                self = .refusal(id, code: error["code"]?.integer ?? 0, message: text)
            } else {
                self = .malformed
            }
        } else {
            self = .malformed
        }
    }
}
