// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

@Suite struct WebLinksTests {
    @Test(
        arguments: [
            ("# To authenticate, visit: https://login.example/a/1b2c\n", ["https://login.example/a/1b2c"]),
            ("(see <http://a.example/x>), or https://b.example.", ["http://a.example/x", "https://b.example"]),
            ("HTTPS://A.example:8443/p?q=1&r=%20#f!", ["HTTPS://A.example:8443/p?q=1&r=%20#f"]),
            ("https://a.example/w_(x) and (https://a.example/y)", ["https://a.example/w_(x)", "https://a.example/y"]),
            ("https://[2001:db8::1]:80/ and [https://a.example]", ["https://[2001:db8::1]:80/", "https://a.example"]),
            ("twice https://a.example https://a.example", ["https://a.example"]),
            // Neither a scheme in the middle of a word, nor another scheme, nor nothing after it.
            ("xhttps://a.example ftp://a.example https:// https://. http:/a.example", []),
            // Leads to the second host.
            ("https://good.example@bad.example/ https://user:pw@bad.example", []),
            // A host that goes on in another script is another host.
            ("https://a.ex\u{430}mple/x", []), ("https://a.example/x\u{FF0C}then", ["https://a.example/x"]), ("", []),
        ] as [(String, [String])]
    )
    func `addresses are found as a person reads them`(text: String, links: [String]) {
        #expect(WebLinks.links(in: text) == links)
    }

    @Test func `what is found is bounded, and ASCII`() {
        let many = (0..<100).map { "https://a.example/\($0)" }.joined(separator: " ")
        #expect(WebLinks.links(in: many).count == WebLinks.most)
        #expect(WebLinks.links(in: "https://a.example/" + String(repeating: "x", count: 3_000)).isEmpty)
        for words in PeerWords.hostile {
            for link in WebLinks.links(in: "https://a.example/\(words)") {
                #expect(link.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            }
        }
    }

    @Test func `the time grows with the text and not faster`() {
        Growth.expectLinear(20_000, "links") { count in
            _ = WebLinks.links(in: String(repeating: "https://a)))))h", count: count))
        }
    }
}
