// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
internal import RiffCore

extension HTTPRequest {
    /// Refuses a request that could say something else on the wire than it says here, for every ``HTTPTransport``.
    ///
    /// The target must be visible ASCII (RFC 9112 section 3.2), the authority a host with an optional port and without
    /// user information, and no field may hold a control character other than a tab (RFC 9110 section 5.5).
    ///
    /// - Throws: `TransportError` with `httpInvalidRequest`; the message names the part and never quotes it.
    package func validate() throws(TransportError) {
        guard scheme == "http" || scheme == "https" else { throw Self.invalid("its scheme is not http or https") }
        // A redirect may name any port, and sockets trap beyond 16 bits; none after the colon is the standard one.
        guard let authority, authority.utf8.allSatisfy(Self.isAuthorityByte),
            HTTPBaseURL.isHostAndPort(authority.last == ":" ? String(authority.dropLast()) : authority)
        else {
            throw Self.invalid("its authority is not a host with an optional port")
        }
        guard let path, path.hasPrefix(bytes: "/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 })
        else {
            throw Self.invalid("its path does not start with a slash, or holds a character that is not visible ASCII")
        }
        for field in headerFields where !field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) {
            throw Self.invalid("its field \(field.name) holds a control character")
        }
    }

    /// Method and address without the query, which may hold what must not be shown.
    package var logLine: String {
        let bare = (path ?? "").prefix { $0 != "?" }
        return "\(method.rawValue) \(scheme ?? "")://\(authority ?? "")\(bare)"
    }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"/?#@\\\"<>^`{|}".utf8.contains(byte)
    }

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.httpInvalidRequest, "The HTTP request cannot be sent: \(reason).")
    }
}
