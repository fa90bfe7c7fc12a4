// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import Testing

@Suite struct HTTPRedirectTests {
    private static func redirected(
        _ location: String,
        status: Int = 302,
        from request: HTTPRequest = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "a.example:8443",
            path: "/b/c?d=e"
        )
    ) -> HTTPRequest? {
        let head = HTTPResponse(status: .init(code: status), headerFields: [.location: location])
        return request.redirected(by: head)
    }

    @Test(arguments: [
        ("https://x.example/y?z", "https://x.example/y?z"), ("HTTP://X.example", "http://x.example/"),
        ("https://x.example?q", "https://x.example/?q"), ("//x.example/y", "https://x.example/y"),
        ("/y", "https://a.example:8443/y"), ("y", "https://a.example:8443/b/y"), ("./y", "https://a.example:8443/b/y"),
        ("../y", "https://a.example:8443/y"), ("../../../y", "https://a.example:8443/y"),
        ("/x/./y/../z", "https://a.example:8443/x/z"), ("/x/y/..", "https://a.example:8443/x/"),
        ("?q", "https://a.example:8443/b/c?q"), ("y?a=../b#f", "https://a.example:8443/b/y?a=../b"),
        ("#f", "https://a.example:8443/b/c?d=e"), ("", "https://a.example:8443/b/c?d=e"),
        ("/", "https://a.example:8443/"),
    ])
    func `a location is read from where it stands`(location: String, expected: String) {
        let next = Self.redirected(location)
        #expect("\(next?.scheme ?? "")://\(next?.authority ?? "")\(next?.path ?? "")" == expected)
    }

    @Test(arguments: ["ftp://x.example/", "mailto:a@b", "javascript:x", "https://", "https://a@b/", "/a b", "://x"])
    func `what cannot be asked is no address`(location: String) { #expect(Self.redirected(location) == nil) }

    @Test func `what TLS kept is not said without it, by requests and by event streams`() throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/events")
        for (location, isFollowed) in [("http://a.example/", false), ("https://b.example/", true), ("/x", true)] {
            let head = HTTPResponse(status: .found, headerFields: [.location: location])
            #expect((request.following(head) != nil) == isFollowed)
            var machine = ServerSentEventMachine(request)
            var generator = SystemRandomNumberGenerator()
            _ = machine.handle(.start, using: &generator)
            let effects = machine.handle(.answered(head), using: &generator)
            let isSent = effects.contains { if case .send = $0 { true } else { false } }
            #expect(isSent == isFollowed)
            if !isFollowed, case .ended(.failed(let error)) = machine.state {
                #expect(error.code == .eventStreamRefused)
            }
        }
        let plain = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")
        let up = HTTPResponse(status: .found, headerFields: [.location: "https://a.example/"])
        #expect(plain.following(up)?.scheme == "https")
    }

    @Test(arguments: [200, 300, 304, 305])
    func `other statuses lead nowhere`(status: Int) { #expect(Self.redirected("/y", status: status) == nil) }

    @Test(arguments: [
        (301, HTTPRequest.Method.post, HTTPRequest.Method.get), (302, .post, .get), (303, .post, .get),
        (303, .put, .get),
        (303, .head, .head), (301, .put, .put), (302, .delete, .delete), (307, .post, .post), (308, .post, .post),
    ])
    func `the method stays, except where it becomes GET`(
        status: Int,
        method: HTTPRequest.Method,
        expected: HTTPRequest.Method
    ) {
        let request = HTTPRequest(method: method, scheme: "http", authority: "a", path: "/")
        #expect(Self.redirected("/y", status: status, from: request)?.method == expected)
    }

    @Test(arguments: [
        ("/y", true), ("https://a.example/y", true), ("http://a.example/y", false), ("https://a.example:444/y", false),
        ("https://b.example/y", false),
    ])
    func `another origin sees no secret`(location: String, isSame: Bool) throws {
        var request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        request.headerFields[.authorization] = "Bearer x"
        request.headerFields[.cookie] = "a=b"
        let own = try #require(HTTPField.Name("X-Riff-Secret"))
        request.headerFields[own] = "x"
        request.headerFields[.accept] = "text/event-stream"
        let next = try #require(Self.redirected(location, from: request))
        for name in [HTTPField.Name.authorization, .cookie, own] {
            #expect((next.headerFields[name] != nil) == isSame)
        }
        #expect(next.headerFields[.accept] == "text/event-stream")
    }
}
