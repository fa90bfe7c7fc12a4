// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

extension SvenServer {
    private static let unknown = ServerResponse.detail(.unauthorized, SvenContract.unknownDevice)

    /// `GET /messages?since=&token=`.
    func messages(_ request: ServerRequest) async throws -> ServerResponse {
        let query = SvenQuery(parsing: request.query)
        guard try await device(of: query["token"]) != nil else { return Self.unknown }
        let messages = conversation?.messages(since: query["since"].flatMap { $0.isEmpty ? nil : $0 }) ?? []
        return .sven(["messages": messages.json])
    }

    /// `DELETE /messages?token=`.
    func clear(_ request: ServerRequest) async throws -> ServerResponse {
        guard try await device(of: SvenQuery(parsing: request.query)["token"]) != nil else { return Self.unknown }
        conversation?.clear()
        return .done("All messages cleared")
    }

    /// `GET /audio/{id}?token=`.
    func audio(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        guard try await device(of: SvenQuery(parsing: request.query)["token"]) != nil else { return Self.unknown }
        guard let clip = conversation?.clip(of: id) else { return .detail(.notFound, SvenContract.audioNotFound) }
        let (type, suffix) =
            switch clip.encoding {
            case .wav, .pcm: ("audio/wav", "wav")
            case .m4a: ("audio/mp4", "m4a")
            case .flac: ("audio/flac", "flac")
            case .mp3: ("audio/mpeg", "mp3")
            }
        // The id is one of the server's own by now, so that it can stand in a field.
        let fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(id).\(suffix)\"",
        ]
        return ServerResponse(status: .ok, headerFields: fields, body: clip.bytes)
    }

    /// `POST /register`. Everything that is wrong with a code is answered alike, also that no window is open.
    func register(_ request: ServerRequest) async throws -> ServerResponse {
        var fields = try PromptFields(try await body(of: request), request.headerFields)
        let token = Secret(fields.required("token"))
        let code = fields.required("code")
        let name = fields.optional("name")
        try fields.check()
        guard DeviceLedger.isUsable(token) else {
            let text = "String should have 16 to 256 visible ASCII characters"
            return .unprocessable([.init(type: "string_pattern_mismatch", field: "token", text: text)])
        }
        guard let pairing, pairing.redeem(code) else { return .detail(.unauthorized, "Invalid pairing code") }
        do {
            try await devices.add(token, name: name ?? "")
        } catch {
            try Task.checkCancellation()
            throw LedgerFailure(cause: error)
        }
        return .done("Token registered")
    }
}
