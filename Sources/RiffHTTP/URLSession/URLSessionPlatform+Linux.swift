// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession && !canImport(Darwin)
internal import Foundation
internal import FoundationNetworking
internal import HTTPTypes
internal import RiffCore
public import RiffTransport

extension URLSessionTransport {
    /// The parts of the contract that are kept on this system: on Linux neither back-pressure nor streaming of the
    /// request's body nor exact errors, on Apple's platforms all but ``HTTPCapabilities/connectDeadline`` and
    /// ``HTTPCapabilities/repeatedFields``.
    public static let capabilities: HTTPCapabilities = []

    static func check(_ proxy: Proxy) throws(TransportError) {
        guard proxy != .system else { return }
        throw unsupported("any but the system's proxies")
    }

    fileprivate static func unsupported(_ what: String) -> TransportError {
        TransportError(.httpUnsupported, "URLSession on Linux has no way to use \(what); use AsyncHTTPTransport.")
    }
}

extension URLSessionTransport.Proxy {
    func apply(to session: URLSessionConfiguration) {}
}

/// Which servers are trusted: on Linux whom libcurl trusts.
struct URLSessionTrust: Sendable {
    init(_ configuration: URLSessionTransport.Configuration) throws(TransportError) {
        guard configuration.additionalTrustRoots.isEmpty, configuration.pinnedCertificates.isEmpty else {
            throw URLSessionTransport.unsupported("certificates of the caller's")
        }
    }

    enum Verdict {
        case withoutCredential
        /// The whole answer came before the question.
        case alreadyAnswered
        case asTheSystemSays
        case trusted(URLCredential)
        case refused(String)
    }

    func verdict(on challenge: URLAuthenticationChallenge) -> Verdict { .alreadyAnswered }
}

/// A request's body: gathered before anything is sent, since libcurl's thread would wait for a stream.
struct URLSessionUpload: Sendable {
    init(_ body: HTTPBody, of head: HTTPRequest, into request: inout URLRequest, limit: Int) async throws {
        var bytes: [UInt8] = []
        switch body {
        case .none: return
        case .bytes(let all): bytes = all
        case .stream(let stream, let length):
            var meter = URLSessionUploadMeter(head, announced: length)
            for try await chunk in stream {
                bytes += try meter.counting(chunk)
                guard bytes.count <= limit else {
                    let message =
                        "\(head.logLine): its body is larger than the \(limit) bytes that are gathered for it."
                    throw TransportError(.outputTooLarge, message)
                }
            }
            try meter.finish()
        }
        try request.setBody(bytes, of: head)
    }

    func run() async throws {}

    func release() {}
}
#endif
