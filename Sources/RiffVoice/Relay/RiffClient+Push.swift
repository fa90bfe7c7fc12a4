// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension RiffClient {
    /// Whether a device is notified of answers, or was just now: what a settings screen shows.
    public struct PushReport: Sendable, Hashable {
        /// A state of a device's notifications, or the outcome of a test.
        public struct Status: RawRepresentable, Sendable, Hashable {
            /// The word on the wire.
            public let rawValue: String
            /// Creates a status from its word, also from one that this version does not know.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The server sends no notifications: it has no key of a push service.
            public static let disabled = Status(rawValue: "disabled")
            /// The device is not registered, or was removed because its token was not valid any more.
            public static let unregistered = Status(rawValue: "unregistered")
            /// The device is registered.
            public static let ready = Status(rawValue: "ready")
            /// The push service took the notification.
            public static let sent = Status(rawValue: "sent")
            /// The push service did not take the notification.
            public static let failed = Status(rawValue: "failed")
        }

        /// The state, or the outcome.
        public let status: Status
        /// The push service's word for why the last notification of the device failed, such as `BadDeviceToken`; `nil`
        /// if none did.
        public let reason: String?

        /// Creates a report from its parts.
        package init(_ status: Status, reason: String? = nil) {
            self.status = status
            self.reason = reason
        }

        /// The report as it is on the wire: `{"status", "reason"}`, the second only where there is one.
        package var json: JSONValue {
            var members: JSONObject = ["status": .string(status.rawValue)]
            members["reason"] = reason.map { .string($0) }
            return .object(members)
        }

        init?(json: JSONValue) {
            guard let status = json["status"]?.text.map({ Status(rawValue: InertText.line($0)) }) else { return nil }
            self.init(status, reason: json["reason"]?.text.map { InertText.line($0) })
        }
    }

    /// Asks whether this device is notified of answers, on `GET /riff/push`.
    ///
    /// - Returns: `disabled`, `unregistered` or `ready`, with the reason of the last failure.
    /// - Throws: ``VoiceError`` and `CancellationError`, as ``transcribe(_:)`` does.
    public func pushReport() async throws -> PushReport {
        try await pushReport(of: server.request(.get, "\(RiffContract.pushPath)?device_id=\(device)"), body: nil)
    }

    /// Has the server notify this device for a test, on `POST /riff/push`.
    ///
    /// - Returns: `sent` or `failed`; `disabled` or `unregistered` if nothing could be sent.
    /// - Throws: ``VoiceError`` and `CancellationError`, as ``transcribe(_:)`` does.
    public func testPush() async throws -> PushReport {
        var request = server.request(.post, RiffContract.pushPath)
        request.headerFields[.contentType] = "application/json"
        let body: JSONValue = ["device_id": .string(device.text)]
        return try await pushReport(of: request, body: body.bytes())
    }

    private func pushReport(of request: HTTPRequest, body: [UInt8]?) async throws -> PushReport {
        let answer = try await answer(to: request, body: body, about: .question)
        guard answer.head.status == .ok else { throw VoiceError(riff: answer.head, server: server, sent: .question) }
        return try answer.riffAnswer(from: server) { PushReport(json: $0) }
    }
}
