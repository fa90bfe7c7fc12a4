// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore

extension ServerResponse {
    /// A JSON answer in the public server's form.
    static func sven(
        _ json: JSONValue,
        status: HTTPResponse.Status = .ok,
        headerFields: HTTPFields = [:]
    ) -> ServerResponse {
        var fields = headerFields
        fields[.contentType] = "application/json"
        fields[.cacheControl] = "no-store"
        return ServerResponse(status: status, headerFields: fields, body: json.bytes())
    }

    /// `{"detail": "..."}`, which is all that a client learns of what went wrong.
    static func detail(
        _ status: HTTPResponse.Status,
        _ text: String,
        headerFields: HTTPFields = [:]
    ) -> ServerResponse {
        sven(["detail": .string(text)], status: status, headerFields: headerFields)
    }

    /// `{"detail": [...]}`: what is wrong with the fields.
    static func unprocessable(_ faults: [PromptFields.Fault]) -> ServerResponse {
        sven(["detail": .array(faults.map(\.json))], status: .unprocessableContent)
    }

    /// `{"status":"ok","message":"..."}`.
    static func done(_ message: String, requestID: String? = nil) -> ServerResponse {
        var object: JSONObject = ["status": "ok", "message": .string(message)]
        object["request_id"] = requestID.map { .string($0) }
        return sven(.object(object))
    }
}
