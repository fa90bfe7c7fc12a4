// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
internal import RiffCore

/// The paths below an address of an interface with a version, such as OpenAI's: people give it with `/v1` at its end,
/// as the services themselves do, or without, or with the whole path of a request.
package struct InterfacePaths: Sendable, Hashable {
    /// The path of the interface itself, with its version.
    private let interface: String
    /// The path of the resources beside the interface.
    private let root: String

    /// Reads the path of an address.
    ///
    /// - Parameter path: The path without a slash at its end.
    package init(_ path: some StringProtocol) {
        var parts = path.split(byte: "/", omittingEmptySubsequences: false).map { String($0) }
        // Who names a whole request says where the interface is, also one without a version.
        let isWhole = Self.requests.contains { request in
            let isEnd = parts.count > request.count && parts.suffix(request.count) == request[...]
            if isEnd { parts.removeLast(request.count) }
            return isEnd
        }
        // A version elsewhere in the path is a folder's; Google has its own name behind it.
        let version =
            parts.last == "openai" && Self.isVersion(parts.dropLast().last) ? parts.count - 2 : parts.count - 1
        if Self.isVersion(parts.last) || version == parts.count - 2 {
            interface = parts.joined(separator: "/")
            root = parts[..<version].joined(separator: "/")
        } else {
            root = parts.joined(separator: "/")
            interface = root + (isWhole ? "" : "/v1")
        }
    }

    /// The whole path of a request.
    ///
    /// - Parameter path: The path that the documentation names: `/v1/...` for the interface, others for what stands
    ///   beside it.
    /// - Returns: The path, with the address's own in front of it.
    package func path(_ path: String) -> String {
        path.utf8.starts(with: "/v1/".utf8) ? interface + String(path.dropFirst(3)) : root + path
    }

    /// The ends of addresses that name a request.
    private static let requests = [["chat", "completions"], ["audio", "transcriptions"], ["audio", "speech"]]

    /// Whether a part of a path is `v1`, `v4` or `v1beta`.
    private static func isVersion(_ part: String?) -> Bool {
        guard let part, part.utf8.first == UInt8(ascii: "v") else { return false }
        let digits = part.utf8.dropFirst().prefix { (0x30...0x39).contains($0) }
        let rest = part.utf8.dropFirst(1 + digits.count)
        return !digits.isEmpty && rest.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}

extension HTTPBaseURL {
    /// Returns a request to an interface with a version, or to a resource beside it; see ``InterfacePaths``.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - path: The path that the documentation names, with its query.
    /// - Returns: The head without fields.
    package func interfaceRequest(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        let whole = InterfacePaths(self.path).path(path)
        return HTTPRequest(method: method, scheme: scheme, authority: authority, path: whole)
    }
}
