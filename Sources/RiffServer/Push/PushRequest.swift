// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// A notification on its way to a push service ("Sending notification requests to APNs").
struct PushRequest: Sendable {
    /// How long the service keeps it for a device that is off, in seconds.
    static let lifetime: Double = 24 * 3600

    let payload: PushPayload
    /// Notifications with the same one replace each other on the device, so that a second try never shows twice.
    let collapseID: RiffIdentifier
    let topic: String

    /// The request for a device.
    func request(
        to service: HTTPBaseURL,
        _ device: DeviceRegistry.Device,
        token: String,
        now: Double
    ) -> HTTPRequest {
        var request = service.request(.post, "/3/device/\(device.pushToken)")
        request.headerFields[.authorization] = "bearer \(token)"
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.apns("id")] = UUID().uuidString.lowercased()
        request.headerFields[.apns("topic")] = topic
        request.headerFields[.apns("push-type")] = "alert"
        request.headerFields[.apns("priority")] = "10"
        request.headerFields[.apns("expiration")] = String(Int64(now + Self.lifetime))
        request.headerFields[.apns("collapse-id")] = collapseID.text
        return request
    }

    /// Whether a text can be a topic: an app's bundle identifier.
    static func isTopic(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || ".-_".utf8.contains($0)
            }
    }
}

extension HTTPField.Name {
    fileprivate static func apns(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name("apns-\(name)") else {
            preconditionFailure("apns-\(name) is a token of RFC 9110")
        }
        return name
    }
}
