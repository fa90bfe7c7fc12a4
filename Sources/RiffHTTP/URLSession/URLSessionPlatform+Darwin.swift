// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession && canImport(Darwin)
internal import Foundation
internal import Network
internal import RiffCore
public import RiffTransport
internal import Security

extension URLSessionTransport {
    /// The parts of the contract that are kept on this system: on Apple's platforms all but
    /// ``HTTPCapabilities/connectDeadline`` and ``HTTPCapabilities/repeatedFields``, on Linux nothing that can be
    /// declared.
    public static let capabilities: HTTPCapabilities = [
        .responseBackPressure, .requestStreaming, .exactFailures, .brokenHeads,
    ]

    static func check(_ proxy: Proxy) throws(TransportError) {}
}

extension URLSessionTransport.Proxy {
    func apply(to session: URLSessionConfiguration) {
        switch self {
        case .system: break
        case .direct: session.connectionProxyDictionary = [:]
        case .http(let host, let port):
            session.proxyConfigurations = [ProxyConfiguration(httpCONNECTProxy: Self.endpoint(host, port))]
        case .socks(let host, let port):
            session.proxyConfigurations = [ProxyConfiguration(socksv5Proxy: Self.endpoint(host, port))]
        }
    }

    private static func endpoint(_ host: String, _ port: UInt16) -> NWEndpoint {
        .hostPort(host: NWEndpoint.Host(host), port: NWEndpoint.Port(integerLiteral: port))
    }
}

/// Which servers are trusted.
struct URLSessionTrust: Sendable {
    enum Verdict {
        /// For passwords and client certificates: there are none, and the answer is the server's.
        case withoutCredential
        /// On Linux: the whole answer came before the question.
        case alreadyAnswered
        case asTheSystemSays
        case trusted(URLCredential)
        /// With the reason.
        case refused(String)
    }

    // As DER, since a value of Security's is not Sendable.
    private let roots: [[UInt8]]
    private let pins: [[UInt8]]

    init(_ configuration: URLSessionTransport.Configuration) throws(TransportError) {
        roots = try Self.certificates(configuration.additionalTrustRoots)
        pins = try Self.certificates(configuration.pinnedCertificates)
    }

    func verdict(on challenge: URLAuthenticationChallenge) -> Verdict {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else { return .withoutCredential }
        guard !roots.isEmpty || !pins.isEmpty else { return .asTheSystemSays }
        guard let trust = space.serverTrust else { return .refused("the server showed no certificate") }
        let anchors = (roots + pins).compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess,
            SecTrustEvaluateWithError(trust, nil)
        else { return .refused("the server's certificate is not trusted, expired or for another name") }
        guard pins.isEmpty || Self.leaf(of: trust).map(pins.contains) == true else {
            return .refused("the server's certificate is not one of those that it must be")
        }
        return .trusted(URLCredential(trust: trust))
    }

    private static func leaf(of trust: SecTrust) -> [UInt8]? {
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        return chain?.first.map { Array(SecCertificateCopyData($0) as Data) }
    }

    private static func certificates(_ paths: [String]) throws(TransportError) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for path in paths {
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let found = PEMCertificates.read(text)
            let areCertificates = found.allSatisfy { SecCertificateCreateWithData(nil, Data($0) as CFData) != nil }
            guard !found.isEmpty, areCertificates else {
                let message = "The certificates in \(path) cannot be read as PEM."
                throw TransportError(.httpTrustRoots, message, recovery: .openSettings(.trustRoots))
            }
            all += found
        }
        return all
    }
}
#endif
