// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing
import VoiceTestSupport

struct RequestSignatureTests {
    @Test func `every known answer is given, and the answer of a key taken as text is refused`() throws {
        let vectors = try RiffFixtures.vectors()
        #expect(vectors.count == 12)
        for vector in vectors {
            let secret = try RiffSecret(hex: vector.key_hex)
            #expect(RequestSignature(of: vector.body, with: secret).value == vector.x_riff_secret)
            #expect(RequestSignature.verify(vector.x_riff_secret, body: vector.body, secret: secret))
            #expect(!RequestSignature.verify(vector.wrong_if_ascii_keyed, body: vector.body, secret: secret))
            #expect(!RequestSignature.verify(vector.x_riff_secret, body: vector.body + [0], secret: secret))
            #expect(!RequestSignature.verify(vector.x_riff_secret.uppercased(), body: vector.body, secret: secret))
            #expect(!RequestSignature.verify("", body: vector.body, secret: secret))
        }
    }

    @Test func `pieces are signed as the whole, at every split`() throws {
        for vector in try RiffFixtures.vectors() {
            let secret = try RiffSecret(hex: vector.key_hex)
            for split in 0...vector.body.count {
                var pieces = RequestSignature.Incremental(with: secret)
                pieces.update(Array(vector.body[..<split]))
                pieces.update(Array(vector.body[split...]))
                #expect(pieces.isSigned(vector.x_riff_secret))
            }
        }
    }

    @Test(arguments: ["2a", "zz", String(repeating: "0", count: 63), String(repeating: "g", count: 64)])
    func `a secret that is not 64 hexadecimal digits is refused and not shown`(text: String) {
        let error = #expect(throws: VoiceError.self) { _ = try RiffSecret(hex: text) }
        #expect(error?.code == .invalidSecret)
        #expect(error?.recovery == .openSettings(.riffSecret))
        #expect(error.map { "\($0)".contains(text) } == false)
    }

    @Test(arguments: [("", true), (String(repeating: "0", count: 64), true), (RiffFixtures.keyHex, false)])
    func `an empty or all-zero secret is a placeholder`(hex: String, isPlaceholder: Bool) throws {
        #expect(try RiffSecret(hex: hex).isPlaceholder == isPlaceholder)
        // RFC 2104 pads with zeros, which is why neither protects anything.
        let empty = try RiffSecret(hex: "")
        let zeros = try RiffSecret(hex: String(repeating: "0", count: 64))
        #expect(RequestSignature(of: [1], with: empty) == RequestSignature(of: [1], with: zeros))
    }

    @Test func `a secret is not printed`() throws {
        let secret = try RiffFixtures.secret()
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", "\(secret.key)", String(reflecting: secret), dumped] {
            #expect(!text.contains("2a") && !text.contains("42"))
        }
    }

    @Test func `a stored secret goes before a built-in one, and a broken one is not passed over`() throws {
        let stored = String(repeating: "ab", count: 32)
        let both = try RiffSecret.first(stored: Secret(stored), baked: RiffFixtures.keyHex)
        #expect(try both == RiffSecret(hex: stored))
        for nothing in [nil, Secret(""), Secret(" \n")] {
            let secret = try RiffSecret.first(stored: nothing, baked: RiffFixtures.keyHex)
            #expect(try secret == RiffFixtures.secret())
        }
        #expect(try RiffSecret.first(stored: nil, baked: "").isPlaceholder)
        #expect(throws: VoiceError.self) { _ = try RiffSecret.first(stored: Secret("x"), baked: RiffFixtures.keyHex) }
    }
}
