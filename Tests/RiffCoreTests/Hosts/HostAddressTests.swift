// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct HostAddressTests {
    @Test(arguments: [
        ("Box.Example", "box.example"), ("[FE80::A%enP2p1s0]", "fe80::a%enP2p1s0"), ("FE80::A%EN0", "fe80::a%EN0"),
        // Without a colon it is a name, whatever is in it.
        ("Box%25X", "box%25x"), ("FE80::A", "fe80::a"),
    ])
    func `a name is compared in lower case, an interface as it is spelled`(text: String, name: String) throws {
        #expect(try HostAddress(text).name == name)
    }
}
