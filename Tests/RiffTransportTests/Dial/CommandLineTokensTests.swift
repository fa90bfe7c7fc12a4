// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

struct CommandLineTokensTests {
    @Test(arguments: [
        ("nc %h %p", "nc box.example 2222"), ("ssh -W '%h:%p' jump", "ssh -W 'box.example:2222' jump"),
        ("x %n %r %% %%h", "x box me % %h"), ("%p%p", "22222222"), ("nc\t%h", "nc\tbox.example"),
        ("é %h", "é box.example"),
    ])
    func `tokens stand for the host`(line: String, expected: String) throws {
        let address = try HostAddress("box.example", port: 2222)
        #expect(try CommandLineTokens(line).line(for: address, user: "me", name: "box") == expected)
    }

    @Test(arguments: ["", "  ", "nc %h %", "nc %k", "%C", "nc %H", "a\u{0}b"])
    func `a line with another token is refused`(line: String) {
        let error = #expect(throws: TransportError.self) { try CommandLineTokens(line) }
        #expect(error?.code == .dialerUnusable)
    }

    /// As in CVE-2023-51385: a name out of a link or a repository, in a shell line.
    @Test(arguments: [
        "$(id)", "`id`", "a;id", "a&b", "a|b", "a>b", "a<b", "a'b", "a\\b", "a(b)", "a{b}", "-oProxyCommand=x", "a b",
        "a\nb", "~root", "a=b c", "a*", "", "a\"b", "#a", "!a",
    ])
    func `what a shell would read more in than a word never gets into a line`(word: String) throws {
        let address = try HostAddress("box.example")
        for line in ["x %r", "x %n"] {
            let error = #expect(throws: TransportError.self, "\(line)") {
                try CommandLineTokens(line).line(for: address, user: word, name: word)
            }
            #expect(error?.code == .dialerUnusable)
        }
        // A line that does not use it is not harmed by it.
        #expect(try CommandLineTokens("x %h").line(for: address, user: word, name: word) == "x box.example")
        guard let host = try? HostAddress(word) else { return }
        #expect(throws: TransportError.self) { try CommandLineTokens("x %h").line(for: host, user: nil, name: nil) }
    }

    @Test func `a zone and a name with letters of other scripts are words`() throws {
        let zone = try HostAddress("fe80::1%en0")
        #expect(try CommandLineTokens("nc %h %p").line(for: zone, user: nil, name: nil) == "nc fe80::1%en0 22")
        let name = try HostAddress("bücher.example")
        #expect(try CommandLineTokens("nc %h").line(for: name, user: nil, name: nil) == "nc bücher.example")
    }

    @Test func `a token without a value is an error, but the name is the host's then`() throws {
        let address = try HostAddress("box.example")
        #expect(throws: TransportError.self) { try CommandLineTokens("%r").line(for: address, user: nil, name: nil) }
        #expect(try CommandLineTokens("%n").line(for: address, user: nil, name: nil) == "box.example")
    }
}
