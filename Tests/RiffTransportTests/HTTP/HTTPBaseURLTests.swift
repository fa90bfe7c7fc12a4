// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import Testing

struct HTTPBaseURLTests {
    @Test(arguments: [
        ("mac.tailnet:8902", "http://mac.tailnet:8902"), ("HTTPS://Example.org/", "https://example.org"),
        ("http://[::1]:8902", "http://[::1]:8902"), ("http://h/api/v1//", "http://h/api/v1"), ("h", "http://h"),
    ])
    func `an address is normalized`(text: String, expected: String) throws {
        let url = try HTTPBaseURL(text)
        #expect(url.description == expected)
        #expect(url.request(.get, "/a?b=c").path == "\(url.path)/a?b=c")
    }

    @Test(arguments: [
        "", "http://", "ftp://h", "http://me:pw@h", "http://h/?q", "http://h/#f", "http://h:0", "http://h:99999",
        "http://h:x", "http://a b", "http://h\r\nX: y", "http://:80", "http://[]:80",
        "http://host\r\n", "host\n/", "\thost", "http://host/a\u{0}", "http://host:80\r",
    ])
    func `what is no address is refused and not shown`(text: String) {
        let error = #expect(throws: TransportError.self) { _ = try HTTPBaseURL(text) }
        #expect(error?.code == .httpInvalidRequest)
        #expect(error.map { "\($0)".contains("pw") } == false)
    }
}
