// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

extension VoiceServer {
    /// `GET /riff/conversation?conversation_id=&limit=`: the newest messages, oldest first.
    func conversation(_ query: String?) async throws -> ServerResponse {
        guard let items = QueryItems(query) else { return .failure(.badRequest, "bad query") }
        let name = items["conversation_id"] ?? RiffContract.defaultConversation.text
        guard let conversation = try? RiffIdentifier(name) else { return .failure(.badRequest, "bad conversation_id") }
        guard let limit = Self.limit(items["limit"], RiffContract.conversationLimit) else {
            return .failure(.badRequest, "bad limit")
        }
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        return try await reading {
            let messages = try await turns.records.conversations.last(limit, of: conversation)
            return ["messages": .array(messages.map(\.json)), "conversation_id": .string(conversation.text)]
        }
    }

    /// `GET /riff/sessions?since=&limit=`: the turns behind one of them, in their order.
    func sessions(_ query: String?) async throws -> ServerResponse {
        guard let items = QueryItems(query) else { return .failure(.badRequest, "bad query") }
        let since = items["since"].flatMap { $0.isEmpty ? nil : $0 }
        guard since.map(RiffIdentifier.isValid) ?? true else { return .failure(.badRequest, "bad since") }
        guard let limit = Self.limit(items["limit"], RiffContract.conversationLimit) else {
            return .failure(.badRequest, "bad limit")
        }
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        return try await reading {
            let id = try since.map { try RiffIdentifier($0) }
            let records = try await turns.records.sessions.records(after: id, limit: limit)
            return ["sessions": .array(records.map(\.json))]
        }
    }

    /// `POST /riff/register-device`: `{"device_id", "push_token_hex", "env"}`.
    func registerDevice(_ body: [UInt8]) async throws -> ServerResponse {
        guard let members = Self.object(body), let name = members["device_id"]?.text,
            let token = members["push_token_hex"]?.text
        else { return .failure(.badRequest, "bad body") }
        let device: DeviceRegistry.Device
        do {
            device = try DeviceRegistry.Device(
                id: try RiffIdentifier(name),
                pushToken: token,
                environment: members["env"]?.text ?? "production",
                time: wallClock()
            )
        } catch { return .failure(.badRequest, "bad device") }
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        return try await reading {
            try await turns.records.devices.register(device)
            return ["status": "ok"]
        }
    }

    private func reading(_ body: () async throws -> JSONValue) async throws -> ServerResponse {
        do { return .json(try await body()) } catch {
            try Task.checkCancellation()
            report(ServerError(.storeFailed, "What is kept could not be read or changed.", cause: error))
            return .failure(.internalServerError, "not kept")
        }
    }

    /// A count as the contract has it: 200 unless said otherwise, 1000 at most; `nil` where it is no count.
    private static func limit(_ text: String?, _ range: (standard: Int, most: Int)) -> Int? {
        guard let text else { return range.standard }
        guard let number = Int(text), number > 0 else { return nil }
        return min(number, range.most)
    }
}
