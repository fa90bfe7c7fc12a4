// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
import RiffHTTP
import RiffTransport
import Testing

@Suite struct PEMCertificatesTests {
    @Test(arguments: [
        ("-----BEGIN CERTIFICATE-----\naGVs\nbG8=\n-----END CERTIFICATE-----\n", ["hello"]),
        ("-----BEGIN CERTIFICATE-----\r\naGk=\r\n-----END CERTIFICATE-----\r\n", ["hi"]),
        (
            "words\n-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\nmore words\n"
                + "-----BEGIN CERTIFICATE-----\n aGVsbG8= \n-----END CERTIFICATE-----", ["hi", "hello"]
        ),
        ("-----BEGIN PRIVATE KEY-----\naGk=\n-----END PRIVATE KEY-----\n", []),
        ("-----BEGIN CERTIFICATE-----\naGk=\n", []),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", []),
        ("-----BEGIN CERTIFICATE-----\na?k=\n-----END CERTIFICATE-----\n", []),
        ("-----END CERTIFICATE-----\n", []), ("", []),
    ])
    func `certificates are read in their order, all or none`(text: String, expected: [String]) {
        #expect(PEMCertificates.read(text).map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
#endif
