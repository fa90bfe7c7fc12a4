// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SvenClient {
    /// The answer of a Sven server when it took a prompt.
    public struct Receipt: Sendable, Hashable {
        /// The server's own words, where it said any.
        public let message: String?
        /// The id of the prompt's message on the server, where it keeps messages.
        public let requestID: String?

        /// A receipt; for tests and previews.
        package init(message: String? = nil, requestID: String? = nil) {
            self.message = message
            self.requestID = requestID
        }

        /// The way that the answer comes back: a server that gives no id keeps no messages either.
        public var replies: SvenClient.ReplyChannel { requestID == nil ? .none : .messages }
    }
}

extension SvenClient.Receipt {
    /// Reads `{"status":"ok"}`, with `message` and `request_id` where they are there.
    init(json: JSONValue) throws(CoreError) {
        var members = JSONMembers(try JSONObject(json: json))
        let status: String = try members.required("status")
        guard status == "ok" else { throw CoreError(.unexpectedJSON, "status: is not ok") }
        self.init(message: members.lenient("message"), requestID: members.lenient("request_id"))
    }
}
