// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The private key block of a PEM text (RFC 7468, and RFC 1421 headers for old encrypted keys).
///
/// Reads what people paste: text around the block, CRLF, indentation, and line breaks that became spaces.
struct PEMBlock {
    /// What stands after BEGIN, such as `OPENSSH PRIVATE KEY`.
    let label: String
    /// The lines before the base64, such as `Proc-Type: 4,ENCRYPTED`.
    let headers: [String]
    /// The decoded base64.
    let body: [UInt8]

    init(label: String, body: [UInt8]) {
        self.label = label
        self.headers = []
        self.body = body
    }

    /// The first block whose label ends in `PRIVATE KEY`.
    init(_ pem: Secret) throws(CoreError) {
        guard pem.bytes.count <= 256 * 1024 else {
            throw PEMBlock.unusable("The text is far larger than a private key.")
        }
        var rest = String(decoding: pem.bytes, as: UTF8.self)[...]
        while let begin = rest.firstRange(of: "-----BEGIN ") {
            rest = rest[begin.upperBound...]
            guard let dashes = rest.firstRange(of: "-----") else { break }
            let label = String(rest[..<dashes.lowerBound])
            rest = rest[dashes.upperBound...]
            guard label.hasSuffix("PRIVATE KEY") else { continue }
            guard let end = rest.firstRange(of: "-----END \(label)-----") else {
                throw PEMBlock.unusable("The private key is cut off: its END line is missing.")
            }
            try self.init(label: label, text: rest[..<end.lowerBound])
            return
        }
        throw PEMBlock.notPEM(pem)
    }

    private init(label: String, text: Substring) throws(CoreError) {
        let lines = text.split(whereSeparator: \.isNewline).map { SSHPublicKey.printable(String($0)) }
        // Base64 has no colon, headers do; a folded header has no use here.
        let headers = lines.filter { $0.contains(byte: ":") }
        let base64 = lines.filter { !$0.contains(byte: ":") }.joined().filter { !$0.isWhitespace }
        guard !base64.isEmpty, let data = Data(base64Encoded: base64) else {
            throw PEMBlock.unusable("The private key is damaged: its text is not whole base64.")
        }
        self.label = label
        self.headers = headers
        self.body = Array(data)
    }

    /// The block as a clean text with lines of 70 characters, as `ssh-keygen` writes it, and a final newline.
    var text: Secret {
        var text = "-----BEGIN \(label)-----\n"
        if !headers.isEmpty { text += headers.joined(separator: "\n") + "\n\n" }
        var base64 = Data(body).base64EncodedString()[...]
        // RFC 1421 readers want 64 where there are headers; everybody else reads any length.
        let width = label == PEMBlock.openSSH ? 70 : 64
        while !base64.isEmpty {
            text += base64.prefix(width) + "\n"
            base64 = base64.dropFirst(width)
        }
        return Secret(text + "-----END \(label)-----\n")
    }

    /// The label of OpenSSH's own format.
    static let openSSH = "OPENSSH PRIVATE KEY"

    private static func notPEM(_ pem: Secret) -> CoreError {
        let text = String(decoding: pem.bytes.prefix(4_096), as: UTF8.self)
        if text.hasPrefix("PuTTY-User-Key-File") {
            return unusable("This is a PuTTY key; export it in OpenSSH format with PuTTYgen and use that.")
        }
        if text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-") {
            return unusable("This is a public key; the private one is in the file of the same name without .pub.")
        }
        return unusable("This is not a private key: a line \"-----BEGIN ... PRIVATE KEY-----\" is missing.")
    }

    private static func unusable(_ message: String) -> CoreError {
        CoreError(.invalidKey, message, recovery: .keySettings)
    }
}
