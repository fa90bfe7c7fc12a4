// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import Testing

struct HostPinTests {
    @Test func `the name is stable and has the form of known_hosts`() throws {
        let host = try HostAddress("Mac.Tailnet.example")
        let other = try HostAddress("10.0.0.7", port: 2222)
        let six = try HostAddress("[fe80::1%eth0]", port: 22)
        #expect(HostPin(address: host).id == "mac.tailnet.example")
        #expect(HostPin(address: other).id == "[10.0.0.7]:2222")
        #expect(HostPin(address: six, via: [other, host]).id == "[10.0.0.7]:2222/mac.tailnet.example/fe80::1%eth0")
    }

    @Test func `another port, another route and another order of hops are other pins`() throws {
        let a = try HostAddress("a")
        let b = try HostAddress("b")
        let target = try HostAddress("t")
        let ids = [
            HostPin(address: target), HostPin(address: try HostAddress("t", port: 2022)),
            HostPin(address: target, via: [a]), HostPin(address: target, via: [b]),
            HostPin(address: target, via: [a, b]), HostPin(address: target, via: [b, a]),
        ].map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func `a pin comes back from its name and from JSON`() throws {
        let hops = [try HostAddress("jump", port: 2200), try HostAddress("::1"), try HostAddress("::1", port: 2201)]
        for pin in [
            HostPin(address: hops[0]), HostPin(address: hops[1]), HostPin(address: hops[2], via: Array(hops[..<2])),
        ] {
            #expect(try HostPin(id: pin.id) == pin)
            #expect(try JSONDecoder().decode([HostPin].self, from: JSONEncoder().encode([pin])) == [pin])
        }
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "[a]", "[a]22", "[a]:0", "[a]:x", "[a]:70000", "[]:22", "a b", "a,b", "*", "!a", "|1|x|y",
    ])
    func `what names no host is refused`(id: String) {
        let error = #expect(throws: CoreError.self) { try HostPin(id: id) }
        #expect([.invalidHost, .invalidPort].contains(error?.code))
    }

    @Test(arguments: ["a\nb", "a*", "a,b", "a b", ""])
    func `an address from JSON is checked`(name: String) throws {
        let json = try JSONSerialization.data(withJSONObject: ["name": name, "port": 22])
        #expect(throws: CoreError.self) { try JSONDecoder().decode(HostAddress.self, from: json) }
    }
}
