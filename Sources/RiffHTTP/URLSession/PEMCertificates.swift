// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation

/// The certificates of a PEM file (RFC 7468, section 5), for systems that only read their inner form.
package enum PEMCertificates {
    /// Each certificate as DER, in the order of the file. What is between them is ignored; none where one is broken.
    package static func read(_ text: String) -> [[UInt8]] {
        var all: [[UInt8]] = []
        var base64: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line == "-----BEGIN CERTIFICATE-----" {
                base64 = ""
            } else if line == "-----END CERTIFICATE-----" {
                guard let text = base64, let data = Data(base64Encoded: text), !data.isEmpty else { return [] }
                all.append(Array(data))
                base64 = nil
            } else {
                base64?.append(line)
            }
        }
        return base64 == nil ? all : []
    }
}
#endif
