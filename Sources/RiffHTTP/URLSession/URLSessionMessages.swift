// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLRequest {
    /// Fields that are the transport's business.
    private static let own: Set<HTTPField.Name> = [.connection, .contentLength, .transferEncoding]

    /// A valid head as URLSession takes it.
    init(_ request: HTTPRequest) throws(TransportError) {
        let address = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        guard let url = URL(string: address, encodingInvalidCharacters: false) else {
            let message = "\(request.logLine): the address holds what a URL may not (RFC 3986)."
            throw TransportError(.httpInvalidRequest, message)
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        for field in request.headerFields where !Self.own.contains(field.name) {
            // A cookie's pairs are the one list that has no commas (RFC 6265, section 5.4).
            let separator = field.name == .cookie ? "; " : ", "
            let earlier = value(forHTTPHeaderField: field.name.rawName).map { $0 + separator } ?? ""
            setValue(earlier + field.value, forHTTPHeaderField: field.name.rawName)
        }
        if request.headerFields[.acceptEncoding] == nil {
            setValue("identity", forHTTPHeaderField: HTTPField.Name.acceptEncoding.rawName)
        }
    }

    /// Says of a body without a type that nothing is known of it; URLSession would call it a form.
    mutating func nameBody() {
        let name = HTTPField.Name.contentType.rawName
        if value(forHTTPHeaderField: name) == nil { setValue("application/octet-stream", forHTTPHeaderField: name) }
    }
}

extension HTTPResponse {
    /// The codings that URLSession decodes by itself.
    private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

    /// Status and fields, sorted by name, since their order is not known, and how long the body will be where that is
    /// certain. Where it was decompressed, the fields that speak of its compressed form are left out.
    static func reading(_ response: HTTPURLResponse, of request: HTTPRequest) -> (HTTPResponse, bodyBytes: Int?) {
        var named: [(name: HTTPField.Name, value: String)] = []
        for (key, value) in response.allHeaderFields {
            guard let key = key as? String, let name = HTTPField.Name(key), let value = value as? String else {
                continue
            }
            named.append((name, value))
        }
        var fields = HTTPFields()
        for field in named.sorted(by: { $0.name.canonicalName < $1.name.canonicalName }) {
            fields.append(HTTPField(name: field.name, value: field.value))
        }
        let coding = (fields[.contentEncoding] ?? "").lowercased()
        let hasBody = request.method != .head && ![204, 304].contains(response.statusCode)
        if hasBody, decoded.contains(coding) {
            fields[.contentEncoding] = nil
            fields[.contentLength] = nil
        }
        let isCounted = hasBody && fields[.transferEncoding] == nil
        let head = HTTPResponse(status: Status(code: min(max(response.statusCode, 0), 999)), headerFields: fields)
        return (head, isCounted ? fields[.contentLength].flatMap { Int($0) } : nil)
    }
}
#endif
