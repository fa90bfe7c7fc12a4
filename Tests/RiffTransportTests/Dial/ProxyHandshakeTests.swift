// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// The three handshakes, whole and cut at every byte, with what hostile proxies answer.
struct ProxyHandshakeTests {
    /// What came of a handshake.
    private enum Outcome: Hashable {
        case connected(sent: [UInt8], first: [UInt8])
        case failed(ProxyFailure)
        case unfinished(sent: [UInt8])
    }

    /// Gives a machine the answers, each after the last one was taken, and each in parts; it must not matter in which.
    private static func run(
        _ make: () -> some ProxyHandshake,
        _ answers: [UInt8]...,
        splits: Int = .max
    ) -> Set<Outcome> {
        var outcomes: Set<Outcome> = []
        for index in answers.indices {
            for parts in Chunking.all(answers[index], splits: splits, random: 10) {
                let before = answers[..<index].map { [$0] }
                let after = answers[(index + 1)...].map { [$0] }
                outcomes.insert(outcome(make(), (before + [parts] + after).flatMap(\.self)))
            }
        }
        return outcomes
    }

    private static func outcome(_ machine: some ProxyHandshake, _ parts: [[UInt8]]) -> Outcome {
        var machine = machine
        var sent: [UInt8] = []
        var first: [UInt8]?
        for part in parts {
            guard first == nil else {
                first? += part
                continue
            }
            do throws(ProxyFailure) {
                switch try machine.handle(part) {
                case .wait: break
                case .send(let bytes): sent += bytes
                case .connected(let bytes): first = bytes
                }
            } catch {
                return .failed(error)
            }
        }
        return first.map { .connected(sent: sent, first: $0) } ?? .unfinished(sent: sent)
    }

    private static func target(_ name: String, _ port: Int = 22) throws -> SOCKSTarget {
        try SOCKSTarget(HostAddress(name, port: port))
    }

    // MARK: SOCKS 5

    private static let banner = Array("SSH-2.0-x\r\n".utf8)
    private static let bound4: [UInt8] = [5, 0, 0, 1, 10, 0, 0, 1, 0x1F, 0x90]

    @Test func `SOCKS 5 names the host, and what follows its answer is the host's`() throws {
        let target = try Self.target("box.example", 2222)
        let machine = SOCKS5Machine(to: target)
        #expect(machine.greeting == [5, 1, 0])
        let request: [UInt8] = [5, 1, 0, 3, 11] + Array("box.example".utf8) + [0x08, 0xAE]
        for bound in [Self.bound4, [5, 0, 0, 3, 1, 65, 0, 1], [5, 0, 0, 4] + [UInt8](repeating: 9, count: 18)] {
            let outcomes = Self.run({ machine }, [5, 0], bound + Self.banner)
            #expect(outcomes == [.connected(sent: request, first: Self.banner)])
        }
    }

    @Test func `SOCKS 5 gives addresses as addresses`() throws {
        let (ipv4, ipv6) = (try Self.target("10.1.2.3"), try Self.target("fe80::1"))
        let four = Self.run({ SOCKS5Machine(to: ipv4) }, [5, 0], Self.bound4)
        #expect(four == [.connected(sent: [5, 1, 0, 1, 10, 1, 2, 3, 0, 22], first: [])])
        let six = Self.run({ SOCKS5Machine(to: ipv6) }, [5, 0], Self.bound4)
        let address: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(six == [.connected(sent: [5, 1, 0, 4] + address + [0, 22], first: [])])
    }

    @Test func `SOCKS 5 logs in where the proxy wants it, and not where it does not`() throws {
        let target = try Self.target("10.1.2.3")
        let make = { SOCKS5Machine(to: target, user: Array("me".utf8), password: Secret("pw")) }
        #expect(make().greeting == [5, 2, 0, 2])
        let request: [UInt8] = [5, 1, 0, 1, 10, 1, 2, 3, 0, 22]
        let login: [UInt8] = [1, 2] + Array("me".utf8) + [2] + Array("pw".utf8)
        #expect(Self.run(make, [5, 2], [1, 0], Self.bound4) == [.connected(sent: login + request, first: [])])
        #expect(Self.run(make, [5, 2], [5, 0], Self.bound4) == [.connected(sent: login + request, first: [])])
        #expect(Self.run(make, [5, 0], Self.bound4) == [.connected(sent: request, first: [])])
        #expect(
            Self.run(make, [5, 2], [1, 1])
                == [.failed(.notAuthorized("it does not accept the user and the password"))]
        )
    }

    @Test(
        arguments: [
            ([4, 0], "no proxy: its answer begins with 4 and not with 5"),
            (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "no proxy: its answer begins with 72 and not with 5"),
            ([5, 0xFF], "login: it wants a login, and none was given"),
            ([5, 1], "no proxy: it chose method 1, which was not offered"),
            // A login was not offered.
            ([5, 2], "no proxy: it chose method 2, which was not offered"),
        ] as [([UInt8], String)]
    )
    func `SOCKS 5 says what the proxy chose`(answer: [UInt8], words: String) throws {
        let target = try Self.target("box.example")
        #expect(Self.run({ SOCKS5Machine(to: target) }, answer).map(Self.words) == [words])
    }

    @Test(
        arguments: [
            ([5, 1], "refused: it failed with code 1"), ([5, 2], "refused: its rules do not allow it"),
            ([5, 3], "unreachable: it has no way to that network"),
            ([5, 4], "unreachable: it cannot reach the host, or does not know its name"),
            ([5, 5], "target refused"), ([5, 6], "unreachable: the host did not answer in time"),
            ([5, 7], "refused: it makes no connections"), ([5, 8], "refused: it does not take this kind of address"),
            ([5, 255], "refused: it failed with code 255"),
            ([4, 0], "no proxy: its answer begins with 4 and not with 5"),
            ([5, 0, 0, 2, 0, 0], "no proxy: its answer has an address of the unknown type 2"),
        ] as [([UInt8], String)]
    )
    func `SOCKS 5 says what the proxy answered`(answer: [UInt8], words: String) throws {
        let target = try Self.target("box.example")
        #expect(Self.run({ SOCKS5Machine(to: target) }, [5, 0], answer).map(Self.words) == [words])
    }

    @Test func `a proxy of SOCKS 5 that answers before it is asked is none`() throws {
        let target = try Self.target("box.example")
        var plain = SOCKS5Machine(to: target)
        #expect(throws: ProxyFailure.stranger("it answers before it is asked")) {
            try plain.handle([5, 0] + Self.bound4)
        }
        var login = SOCKS5Machine(to: target, user: Array("me".utf8), password: Secret("pw"))
        #expect(throws: ProxyFailure.stranger("it answers before it is asked")) { try login.handle([5, 2, 1, 0]) }
    }

    @Test func `an answer of SOCKS 5 that never ends is waited for, and holds no more than its length`() throws {
        let target = try Self.target("box.example")
        // A bound name of 255 bytes is the longest answer there is.
        let longest = [5, 0, 0, 3, 255] + [UInt8](repeating: 65, count: 257)
        let outcomes = Self.run({ SOCKS5Machine(to: target) }, [5, 0], longest.dropLast(), splits: 40)
        #expect(outcomes.count == 1)
        if case .unfinished = outcomes.first {} else { Issue.record("\(outcomes)") }
        #expect(Self.run({ SOCKS5Machine(to: target) }, [5, 0], longest + [7], splits: 40).count == 1)
    }

    // MARK: SOCKS 4

    @Test func `SOCKS 4a names the host, and SOCKS 4 gives the address`() throws {
        let user = Array("me".utf8)
        let named = SOCKS4Machine(to: try Self.target("box.example", 2222), user: user)
        #expect(named.greeting == [4, 1, 0x08, 0xAE, 0, 0, 0, 1] + user + [0] + Array("box.example".utf8) + [0])
        #expect(SOCKS4Machine(to: try Self.target("10.1.2.3")).greeting == [4, 1, 0, 22, 10, 1, 2, 3, 0])
        let answer: [UInt8] = [0, 90, 0, 0, 0, 0, 0, 0]
        #expect(Self.run({ named }, answer + Self.banner) == [.connected(sent: [], first: Self.banner)])
    }

    @Test(
        arguments: [
            ([5, 0], "no proxy: its answer begins with 5 and not with 0"),
            ([0, 91], "refused: it would not, or could not"),
            ([0, 92, 0], "login: it does not accept the user"),
            ([0, 7], "no proxy: it answers with the unknown code 7"),
            ([0, 90, 0, 0, 0, 0, 0], "unfinished"),
        ] as [([UInt8], String)]
    )
    func `SOCKS 4 says what the proxy answered`(answer: [UInt8], words: String) throws {
        let target = try Self.target("box.example")
        #expect(Self.run({ SOCKS4Machine(to: target) }, answer).map(Self.words) == [words])
    }

    @Test func `what no proxy can be told is refused before it is asked`() throws {
        #expect(throws: ProxyFailure.self) { try Self.target("fe80::1%en0") }
        #expect(throws: ProxyFailure.self) { try Self.target(String(repeating: "a", count: 256)) }
        #expect(try Self.target(String(repeating: "a", count: 255)).text.count == 255)
    }

    // MARK: CONNECT

    @Test func `CONNECT asks for the host and its port, with a login where there is one`() {
        let plain = HTTPConnectMachine(to: "box.example:22")
        #expect(
            String(decoding: plain.greeting, as: UTF8.self)
                == "CONNECT box.example:22 HTTP/1.1\r\nHost: box.example:22\r\n\r\n"
        )
        let login = HTTPConnectMachine(to: "[::1]:22", credentials: Secret("bWU6cHc="))
        #expect(
            String(decoding: login.greeting, as: UTF8.self)
                == "CONNECT [::1]:22 HTTP/1.1\r\nHost: [::1]:22\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n"
        )
    }

    @Test(arguments: [
        "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\n\r\n", "HTTP/1.1 200 OK\n\n",
        // The length of an answer to CONNECT is none (RFC 9110 section 9.3.6).
        "HTTP/1.1 204 x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n\r\n",
    ])
    func `a tunnel stands behind an empty line, and what follows is the host's`(answer: String) {
        let outcomes = Self.run({ HTTPConnectMachine(to: "h:22") }, Array(answer.utf8) + Self.banner)
        #expect(outcomes == [.connected(sent: [], first: Self.banner)])
    }

    @Test(arguments: [
        ("HTTP/1.1 403 Forbidden\r\n\r\n", "refused: it answered 403 (Forbidden)"),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "unreachable: it answered 502 (Bad Gateway)"),
        ("HTTP/1.1 302 Found\r\nLocation: http://evil/\r\n\r\n", "refused: it answered 302 (Found)"),
        (
            "HTTP/1.1 407 x\r\nproxy-AUTHENTICATE: Digest realm=\"a\"\r\nProxy-Authenticate:NTLM\r\n\r\n",
            "login: it wants a login (Digest, NTLM), or another one than was given"
        ),
        ("HTTP/1.1 407 x\r\n\r\n", "login: it wants a login, or another one than was given"),
        ("HTTP/1.0 401 Unauthorized\r\n\r\n", "login: it wants a login, or another one than was given"),
        ("HTTP/1.1 403 \u{1B}]0;x\u{07}\u{202E}no\r\n\r\n", "refused: it answered 403 (]0;xno)"),
        ("HTTP/2 200\r\n\r\n", "no proxy: its answer has no status line of HTTP/1"),
        ("HTTP/1.1 2OO OK\r\n\r\n", "no proxy: its answer has no status line of HTTP/1"),
        ("HTTP/1.1 99999999999999999999 OK\r\n\r\n", "no proxy: its answer has no status line of HTTP/1"),
        ("HTTP/1.1 -20 OK\r\n\r\n", "no proxy: its answer has no status line of HTTP/1"),
        ("HTTP/1.1 200 OK\r\n", "unfinished"),
    ])
    func `CONNECT says what the proxy answered`(answer: String, words: String) {
        let outcomes = Self.run({ HTTPConnectMachine(to: "h:22") }, Array(answer.utf8))
        #expect(outcomes.map(Self.words) == [words])
    }

    @Test func `who answers without HTTP is named, also where it is an SSH server`() {
        var machine = HTTPConnectMachine(to: "h:22")
        let failure = #expect(throws: ProxyFailure.self) { try machine.handle(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)) }
        #expect(failure.map { "\($0)".contains("an SSH server") } == true)
    }

    @Test func `an answer without an end is refused at its limit, in linear time`() {
        for filler in ["X: y\r\n", "x"] {
            var machine = HTTPConnectMachine(to: "h:22")
            let start = Array("HTTP/1.1 200 OK\r\n".utf8)
            var failure: ProxyFailure?
            var given = 0
            do throws(ProxyFailure) {
                _ = try machine.handle(start)
                while given < 10 * HTTPConnectMachine.limitBytes {
                    _ = try machine.handle(Array(filler.utf8))
                    given += filler.utf8.count
                }
            } catch {
                failure = error
            }
            #expect(failure == .stranger("its answer is longer than \(HTTPConnectMachine.limitBytes) bytes"))
            #expect(given <= HTTPConnectMachine.limitBytes)
        }
    }

    @Test func `interim answers without an end are refused, too`() {
        var machine = HTTPConnectMachine(to: "h:22")
        let interim = Array("HTTP/1.1 103 x\r\n\r\n".utf8)
        #expect(throws: ProxyFailure.self) {
            for _ in 0...HTTPConnectMachine.limitBytes / interim.count { _ = try machine.handle(interim) }
        }
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .connected: "connected"
        case .unfinished: "unfinished"
        case .failed(.stranger(let words)): "no proxy: \(words)"
        case .failed(.notAuthorized(let words)): "login: \(words)"
        case .failed(.refused(let words)): "refused: \(words)"
        case .failed(.targetRefused): "target refused"
        case .failed(.targetUnreachable(let words)): "unreachable: \(words)"
        }
    }
}
