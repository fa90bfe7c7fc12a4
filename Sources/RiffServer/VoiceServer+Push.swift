// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

extension VoiceServer {
    /// `GET /riff/push?device_id=`: whether a device is notified of answers.
    func pushReport(_ query: String?) async throws -> ServerResponse {
        guard let items = QueryItems(query) else { return .failure(.badRequest, "bad query") }
        return try await reporting(on: items["device_id"]) { push, device, _ in
            RiffClient.PushReport(.ready, reason: push.reason(of: device.id))
        }
    }

    /// `POST /riff/push`: `{"device_id"}`; notifies the device for a test.
    func testPush(_ body: [UInt8]) async throws -> ServerResponse {
        guard let members = Self.object(body) else { return .failure(.badRequest, "bad body") }
        return try await reporting(on: members["device_id"]?.text) { push, device, registry in
            switch try await push.test(device, of: registry) {
            case .sent: RiffClient.PushReport(.sent)
            case .removed(let reason): RiffClient.PushReport(.unregistered, reason: reason)
            case .failed(let reason): RiffClient.PushReport(.failed, reason: reason)
            }
        }
    }

    private func reporting(
        on name: String?,
        _ body: (PushSender, DeviceRegistry.Device, DeviceRegistry) async throws -> RiffClient.PushReport
    ) async throws -> ServerResponse {
        guard let id = name.flatMap({ try? RiffIdentifier($0) }) else { return .failure(.badRequest, "bad device_id") }
        guard let turns, let push = turns.push else { return .json(RiffClient.PushReport(.disabled).json) }
        do {
            let registry = turns.records.devices
            guard let device = try await registry.device(id) else {
                return .json(RiffClient.PushReport(.unregistered, reason: push.reason(of: id)).json)
            }
            return .json(try await body(push, device, registry).json)
        } catch {
            try Task.checkCancellation()
            report(ServerError(.storeFailed, "The registered devices could not be read.", cause: error))
            return .failure(.internalServerError, "not kept")
        }
    }
}
