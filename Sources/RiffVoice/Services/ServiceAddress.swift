// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

/// The address of an HTTP service: a base address, to which paths are appended.
struct ServiceAddress: Sendable {
    private let scheme: String
    private let authority: String
    private let paths: InterfacePaths

    /// - Throws: ``VoiceError`` with `serviceAddressInvalid`; the text is not repeated, it may hold a password.
    init(_ text: String) throws(VoiceError) {
        guard let colon = text.firstRange(of: "://") else { throw ServiceAddress.invalid }
        let rest = text[colon.upperBound...]
        let host = rest[..<(rest.firstIndex(byte: "/") ?? rest.endIndex)]
        var path = rest[host.endIndex...].droppingLast(byte: "/")
        if path.isSame(bytes: "/") { path = "" }
        scheme = text[..<colon.lowerBound].lowercased()
        authority = String(host)
        paths = InterfacePaths(path)
        let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"@?#\\\"<>".utf8.contains($0) }
        guard scheme == "http" || scheme == "https", !host.isEmpty, !host.hasPrefix(bytes: ":"), isPlain else {
            throw ServiceAddress.invalid
        }
    }

    /// The host and port, for messages.
    var name: String { authority }

    /// A POST to a path of the service's documentation, which begins with `/v1/`.
    func post(_ path: String, _ fields: HTTPFields) -> HTTPRequest {
        HTTPRequest(method: .post, scheme: scheme, authority: authority, path: paths.path(path), headerFields: fields)
    }

    private static let invalid = VoiceError(
        .serviceAddressInvalid,
        "The address of the speech service is not of the form https://host/path, without user, query and fragment.",
        recovery: .openSettings(.speechServiceAddress)
    )
}

extension VoiceErrorCode {
    /// The address of a service cannot be used.
    public static let serviceAddressInvalid = VoiceError.Code(rawValue: "serviceAddressInvalid")
}
