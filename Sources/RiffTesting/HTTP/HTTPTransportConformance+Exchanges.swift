// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffTransport

extension HTTPTransportConformance {
    /// What is sent and what comes back when all goes well, and what is refused before anything is sent.
    static let exchanges: [Check] = [
        Check("a request goes out as it is and its answer comes back") { http in
            let answer = "HTTP/1.1 418 Short\r\nSERVER: a\r\nContent-Length: 5\r\n\r\nhello"
            try await RawHTTPServer.withServer([.readHead, .readBody(4), .send(answer), .awaitClose]) { server in
                var request = request(server, .post, path: "/a%2Fb/%C3%A9?q=1+2&r=%26")
                request.headerFields[.accept] = "text/plain"
                let reply = try await http.send(request, body: .bytes(Array("ping".utf8)), deadlines: HTTPDeadlines())
                let body = try await reply.body.collect(upTo: 100)
                try expect(reply.head.status.code == 418, "The status is \(reply.head.status).")
                try expect(reply.head.headerFields[mark] == "a", "The fields are \(reply.head.headerFields).")
                try expect(body == Array("hello".utf8), "The body is \(body).")
                let sent = String(decoding: server.received(), as: UTF8.self)
                try expect(sent.hasPrefix("POST /a%2Fb/%C3%A9?q=1+2&r=%26 HTTP/1.1\r\n"), "It sent \(sent)")
                let lower = sent.lowercased()
                try expect(lower.contains("\r\naccept: text/plain\r\n"), "It sent \(sent)")
                try expect(lower.contains("\r\nhost: 127.0.0.1:\(server.port)\r\n"), "It sent \(sent)")
                try expect(lower.contains("\r\ncontent-length: 4\r\n"), "It sent \(sent)")
                try expect(sent.hasSuffix("\r\n\r\nping"), "It sent \(sent)")
                try expect(!lower.contains("riff-"), "It sent a field of its own: \(sent)")
            }
        },
        Check("fields of one name come one by one", needs: .repeatedFields) { http in
            let answer = "HTTP/1.1 204 No Content\r\nServer: a\r\nX: y\r\nServer: b, c\r\n\r\n"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                let marks = reply.head.headerFields[values: mark]
                try expect(marks == ["a", "b, c"], "The fields are \(reply.head.headerFields).")
            }
        },
        Check("a stream of known length goes out with it") { http in
            let script: [RawHTTPServer.Step] = [.readHead, .readBody(6), .send(empty), .awaitClose]
            try await RawHTTPServer.withServer(script) { server in
                let (stream, writer) = ByteStream.makeStream()
                try await writer.write(Array("one".utf8))
                try await writer.write(Array("two".utf8))
                writer.finish()
                let body = HTTPBody.stream(stream, length: 6)
                let reply = try await http.send(request(server, .put), body: body, deadlines: HTTPDeadlines())
                try expect(reply.head.status == .noContent, "The status is \(reply.head.status).")
                let sent = String(decoding: server.received(), as: UTF8.self)
                try expect(sent.lowercased().contains("\r\ncontent-length: 6\r\n"), "It sent \(sent)")
                try expect(sent.hasSuffix("\r\n\r\nonetwo"), "It sent \(sent)")
            }
        },
        Check("a stream of unknown length goes out in chunked coding", needs: .requestStreaming) { http in
            let script: [RawHTTPServer.Step] = [.readHead, .readChunkedBody, .send(empty), .awaitClose]
            try await RawHTTPServer.withServer(script) { server in
                let (stream, writer) = ByteStream.makeStream()
                try await writer.write(Array("one".utf8))
                try await writer.write(Array("two".utf8))
                writer.finish()
                let body = HTTPBody.stream(stream, length: nil)
                let reply = try await http.send(request(server, .post), body: body, deadlines: HTTPDeadlines())
                try expect(reply.head.status == .noContent, "The status is \(reply.head.status).")
                let sent = String(decoding: server.received(), as: UTF8.self).lowercased()
                try expect(sent.contains("\r\ntransfer-encoding: chunked\r\n"), "It sent \(sent)")
            }
        },
        Check("an answer in chunked coding, split at every byte, comes back whole") { http in
            let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\n\r\n"
            let steps = [.readHead] + answer.utf8.map { RawHTTPServer.Step.send([$0]) } + [.awaitClose]
            try await RawHTTPServer.withServer(steps) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                let body = try await reply.body.collect(upTo: 100)
                try expect(body == Array("hello!".utf8), "The body is \(body).")
            }
        },
        Check("the head is given before the body has come") { http in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"
            try await RawHTTPServer.withServer([.readHead, .send(head), .awaitClose]) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                var chunks = reply.body.makeAsyncIterator()
                let first = try await chunks.next()
                try expect(first == Array("one".utf8), "The first chunk is \(first ?? []).")
            }
        },
        Check("a body without a length ends with the connection") { http in
            let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .close]) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                let body = try await reply.body.collect(upTo: 100)
                try expect(body == Array("until the end".utf8), "The body is \(body).")
            }
        },
        Check("the answer to HEAD has no body, whatever length it announces") { http in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                let reply = try await http.send(request(server, .head), body: .none, deadlines: HTTPDeadlines())
                let body = try await reply.body.collect(upTo: 100)
                try expect(body.isEmpty, "The body is \(body).")
            }
        },
        Check("a redirect is an answer like any other") { http in
            let answer = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                try expect(reply.head.status.code == 302, "The status is \(reply.head.status).")
                try expect(reply.head.headerFields[.location] == "/elsewhere", "The location was changed.")
                try expect(server.connectionCount == 1, "It asked \(server.connectionCount) times.")
            }
        },
        Check("a redirect to nowhere is an answer like any other") { http in
            let answer = "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nno"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                try expect(reply.head.status.code == 302, "The status is \(reply.head.status).")
                try expect(server.connectionCount == 1, "It asked \(server.connectionCount) times.")
            }
        },
        Check("an answer that asks for a password is an answer like any other") { http in
            let head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
            let script: [RawHTTPServer.Step] = [.readHead, .send(head + "Content-Length: 2\r\n\r\nno"), .awaitClose]
            try await RawHTTPServer.withServer(script) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                try expect(reply.head.status.code == 401, "The status is \(reply.head.status).")
                let body = try await reply.body.collect(upTo: 100)
                try expect(body == Array("no".utf8), "The body is \(body).")
                try expect(server.connectionCount == 1, "It asked \(server.connectionCount) times.")
            }
        },
        Check("what one answer sets is not sent with the next request") { http in
            let head = "HTTP/1.1 200 OK\r\nSet-Cookie: a=secret; Path=/\r\nCache-Control: max-age=600\r\n"
            let script: [RawHTTPServer.Step] = [
                .readHead, .send(head + "Connection: close\r\nContent-Length: 2\r\n\r\nok"), .close,
            ]
            try await RawHTTPServer.withServer(script) { server in
                for number in 0..<2 {
                    let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                    let body = try await reply.body.collect(upTo: 100)
                    try expect(body == Array("ok".utf8), "The body is \(body).")
                    try expect(server.connectionCount == number + 1, "It did not ask again.")
                    let sent = String(decoding: server.received(on: number), as: UTF8.self)
                    try expect(!sent.contains("secret"), "It sent \(sent)")
                }
            }
        },
        Check("an answer before the end of the request's body is given", needs: .requestStreaming) { http in
            let answer = "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                let (stream, _) = ByteStream.makeStream()
                let body = HTTPBody.stream(stream, length: 1000)
                let reply = try await http.send(request(server, .post), body: body, deadlines: HTTPDeadlines())
                try expect(reply.head.status.code == 413, "The status is \(reply.head.status).")
                let text = try await reply.body.collect(upTo: 100)
                try expect(text == Array("big".utf8), "The body is \(text).")
            }
        },
        Check("a target, an authority or a field that could end its line is refused") { http in
            try await RawHTTPServer.withServer([.readHead, .send(empty), .awaitClose]) { server in
                var wrong = ["/a b", "/a\r\nX: y", "/a\u{0}b", "/é", "a", ""].map { request(server, path: $0) }
                wrong.append(request(server))
                wrong[wrong.count - 1].authority = "127.0.0.1:\(server.port)\r\nX: y"
                wrong.append(request(server))
                wrong[wrong.count - 1].authority = "me@127.0.0.1:\(server.port)"
                wrong.append(request(server))
                wrong[wrong.count - 1].scheme = "file"
                wrong.append(request(server))
                let field = HTTPField(name: .accept, lenientValue: Array("a\u{1}b".utf8))
                wrong[wrong.count - 1].headerFields.append(field)
                for request in wrong {
                    try await expect(.httpInvalidRequest, of: "\(request) \(request.headerFields)") {
                        _ = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    }
                }
                try expect(server.connectionCount == 0, "It connected all the same.")
            }
        },
    ]

    private static let mark = HTTPField.Name.server
    static let empty = "HTTP/1.1 204 No Content\r\n\r\n"
}
