// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct HostDetailsTests {
    @Test(arguments: [
        ("box", "", "me", "box", "me"), (" Box.example \n", " 2222 ", "\tme ", "box.example:2222", "me"),
        ("::1", "22", "me", "::1", "me"), ("10.0.0.1", "65535", "DOMAIN\\me", "10.0.0.1:65535", "DOMAIN\\me"),
        ("box", "022", "jürgen", "box", "jürgen"),
    ])
    func `what people type is understood`(host: String, port: String, user: String, address: String, account: String)
        throws
    {
        let details = HostDetails(host: host, port: port, user: user)
        #expect(details.problems.isEmpty)
        let resolved = try #require(details.resolved)
        #expect(resolved.address.description == address)
        #expect(resolved.user == account)
    }

    @Test(arguments: [
        ("", "", "me", SettingName.host, CoreError.Code.invalidHost, "missing"),
        (" \t", "", "me", .host, .invalidHost, "missing"),
        ("a b", "", "me", .host, .invalidHost, "not a host name"),
        ("me@box", "", "me", .host, .invalidHost, "not a host name"),
        ("ssh://box", "", "me", .host, .invalidHost, "not a host name"),
        ("-oProxyCommand=x", "", "me", .host, .invalidHost, "not a host name"),
        ("box", "0", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "65536", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "-1", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "+22", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "ssh", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "99999999999999999999", "me", .port, .invalidPort, "1 to 65535"),
        ("box", "", "", .user, .invalidUser, "whoami"), ("box", "", " \n", .user, .invalidUser, "missing"),
        ("box", "", "a b", .user, .invalidUser, "cannot be used"),
        ("box", "", "-x", .user, .invalidUser, "cannot be used"),
        ("box", "", "a\u{1B}b", .user, .invalidUser, "cannot be used"),
        ("box", "", "a\u{0}", .user, .invalidUser, "cannot be used"),
        ("box", "", String(repeating: "x", count: 256), .user, .invalidUser, "cannot be used"),
    ])
    func `what cannot be used is told at its field`(
        host: String,
        port: String,
        user: String,
        field: SettingName,
        code: CoreError.Code,
        words: String
    ) {
        let details = HostDetails(host: host, port: port, user: user)
        #expect(details.problems.keys.map(\.self) == [field])
        #expect(details.problems[field]?.code == code)
        #expect(details.problems[field]?.message.contains(words) == true)
        #expect(details.problems[field]?.recovery == .openSettings(field))
        #expect(details.resolved == nil)
    }

    @Test func `an empty form is told at two fields, and a stored host makes a form without problems`() throws {
        #expect(Set(HostDetails().problems.keys) == [.host, .user])
        let key = try RiffIdentifier("k")
        for port in [22, 2222] {
            let profile = HostProfile(address: try HostAddress("box", port: port), user: "me", keyID: key)
            #expect(HostDetails(profile).resolved?.address == profile.address)
        }
    }
}
