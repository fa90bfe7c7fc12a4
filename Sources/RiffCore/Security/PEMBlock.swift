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
package struct PEMBlock {
    /// The label after BEGIN, such as `OPENSSH PRIVATE KEY`.
    package let label: String
    /// The lines before the base64, such as `Proc-Type: 4,ENCRYPTED`.
    package let headers: [String]
    /// The decoded base64.
    package let body: [UInt8]

    package init(label: String, body: [UInt8]) {
        self.label = label
        self.headers = []
        self.body = body
    }

    /// The first block whose label ends in `PRIVATE KEY`.
    package init(_ pem: Secret) throws(CoreError) {
        guard pem.bytes.count <= 256 * 1024 else {
            throw PEMBlock.unusable("The text is far larger than a private key.")
        }
        let text = PEMBlock.text(of: pem)
        var rest = text[...]
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
        throw PEMBlock.notPEM(text)
    }

    /// The text, also of a file that a Windows shell wrote (UTF-16 with its mark), and of one that a JSON string held,
    /// where each line break is a backslash and a letter.
    private static func text(of pem: Secret) -> String {
        let bytes = pem.bytes
        let text: String
        switch bytes.prefix(2) {
        case [0xFF, 0xFE], [0xFE, 0xFF]:
            let low = bytes[0] == 0xFF ? 0 : 1
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
            }
            text = String(decoding: units, as: UTF16.self)
        default: text = String(decoding: bytes, as: UTF8.self)
        }
        guard text.contains("-----\\n") || text.contains("-----\\r\\n") else { return text }
        return text.replacing("\\r", with: "").replacing("\\n", with: "\n")
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
    package var text: Secret {
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
    package static let openSSH = "OPENSSH PRIVATE KEY"

    private static func notPEM(_ text: String) -> CoreError {
        let text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix(bytes: "PuTTY-User-Key-File") {
            return .unsupportedKey(
                "This is a PuTTY key (.ppk). Open it in PuTTYgen, choose Conversions > Export OpenSSH key, and use that."
            )
        }
        if text.hasPrefix(bytes: "---- BEGIN SSH2") {
            return .unsupportedKey("This key is in the format of ssh.com. Convert it with: ssh-keygen -i -f FILE")
        }
        if text.hasPrefix(bytes: "ssh-") || text.hasPrefix(bytes: "ecdsa-") {
            return unusable("This is a public key; the private one is in the file of the same name without .pub.")
        }
        return unusable("This is not a private key: a line \"-----BEGIN ... PRIVATE KEY-----\" is missing.")
    }

    private static func unusable(_ message: String) -> CoreError {
        CoreError(.invalidKey, message, recovery: .keySettings)
    }
}
