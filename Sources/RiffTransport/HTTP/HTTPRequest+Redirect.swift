// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
internal import RiffCore

extension HTTPRequest {
    /// The fields that another origin may see. Whatever else a caller added may be a secret of its own making.
    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptLanguage, .cacheControl, .contentType, .lastEventID, .userAgent,
    ]

    /// The request that follows a redirect (RFC 9110, section 15.4; WHATWG Fetch, "HTTP-redirect fetch").
    ///
    /// - Parameter response: An answer with a status from 301 to 308.
    /// - Returns: The request, without a body where it is a GET and this was none; `nil` where the answer names no
    ///   address that can be asked.
    package func redirected(by response: HTTPResponse) -> HTTPRequest? {
        guard let location = response.headerFields[.location], var next = resolving(location) else { return nil }
        let wasPost = method == .post
        switch response.status.code {
        case 303 where method != .head, 301 where wasPost, 302 where wasPost:
            next.method = .get
            next.headerFields[.contentType] = nil
        case 301, 302, 303, 307, 308: break
        default: return nil
        }
        if (next.scheme, next.authority) != (scheme, authority) {
            for field in next.headerFields where !Self.harmless.contains(field.name) {
                next.headerFields[field.name] = nil
            }
        }
        return next
    }

    /// The request that follows a redirect, by the one rule of everything that follows one: what TLS kept is not said
    /// without it.
    ///
    /// - Parameter response: An answer with a status from 301 to 308.
    /// - Returns: As ``redirected(by:)`` does; `nil`, too, from `https` to `http`.
    package func following(_ response: HTTPResponse) -> HTTPRequest? {
        guard let next = redirected(by: response), scheme != "https" || next.scheme == "https" else { return nil }
        return next
    }

    /// The same request to the address that a reference means here (RFC 3986, section 5.2). A fragment is dropped.
    private func resolving(_ location: String) -> HTTPRequest? {
        // A path in letters that are not ASCII is refused below; here a slash with an accent would be no slash.
        guard location.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var reference = location[...].prefix { $0 != "#" }
        var next = self
        if let colon = reference.firstRange(of: "://"), reference[..<colon.lowerBound].allSatisfy(\.isLetter) {
            next.scheme = reference[..<colon.lowerBound].lowercased()
            reference = reference[colon.lowerBound...].dropFirst()
        }
        if reference.hasPrefix(bytes: "//") {
            reference = reference.dropFirst(2)
            let authority = reference.prefix { $0 != "/" && $0 != "?" }
            next.authority = authority.lowercased()
            reference = reference[authority.endIndex...]
            next.path = Self.absolute(reference.hasPrefix(bytes: "/") ? reference : "/" + reference)
        } else if reference.hasPrefix(bytes: "/") {
            next.path = Self.absolute(reference)
        } else if !reference.isEmpty {
            // Another scheme, which has no host: nothing that can be asked.
            guard !reference.prefix(while: { !"/?".contains($0) }).contains(byte: ":") else { return nil }
            let base = (path ?? "/").prefix { $0 != "?" }
            let folder = base[...(base.lastIndex(byte: "/") ?? base.startIndex)]
            next.path = reference.hasPrefix("?") ? String(base + reference) : Self.absolute(folder + reference)
        }
        do throws(TransportError) { try next.validate() } catch { return nil }
        return next
    }

    /// A path without `.` and `..` (RFC 3986, section 5.2.4), and its query.
    private static func absolute(_ target: Substring) -> String {
        let path = target.prefix { $0 != "?" }
        var segments: [Substring] = []
        for segment in path.split(byte: "/", omittingEmptySubsequences: false).dropFirst() {
            if segment == ".." { _ = segments.popLast() } else if segment != "." { segments.append(segment) }
        }
        let isFolder = path.hasSuffix(bytes: "/.") || path.hasSuffix(bytes: "/..")
        return "/" + segments.joined(separator: "/") + (isFolder && !segments.isEmpty ? "/" : "")
            + target[path.endIndex...]
    }
}

extension HTTPField.Name {
    /// The last event that a client saw (WHATWG HTML, section 9.2.4).
    package static let lastEventID: HTTPField.Name = {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("It is a token of RFC 9110.") }
        return name
    }()
}
