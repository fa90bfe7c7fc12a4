// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The client's end of an HTTP tunnel (CONNECT, RFC 9110 section 9.3.6).
package struct HTTPConnectMachine: ProxyHandshake {
    /// The most bytes of all answers up to the one that counts.
    package static let limitBytes = 32 * 1024

    package let greeting: [UInt8]
    /// The bytes that came and are not read yet.
    private var pending: [UInt8] = []
    /// The number of pending bytes that were searched for the end of a line already.
    private var searched = 0
    /// Bytes of the lines that were read.
    private var readBytes = 0
    private var status: Int?
    private var reason = ""
    private var schemes: [String] = []
    private var isOver = false

    /// - Parameters:
    ///   - authority: `host:port`, an IPv6 address in brackets.
    ///   - credentials: What follows `Basic ` in the header of the login; `nil` without one.
    package init(to authority: String, credentials: Secret? = nil) {
        var request = Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n".utf8)
        if let credentials {
            request += Array("Proxy-Authorization: Basic ".utf8) + credentials.bytes + Array("\r\n".utf8)
        }
        greeting = request + Array("\r\n".utf8)
    }

    package mutating func handle(_ bytes: [UInt8]) throws(ProxyFailure) -> ProxyStep {
        guard !isOver else { return .wait }
        pending += bytes
        // What answers first and is no HTTP, such as an SSH server, may never end its line.
        if status == nil, let greeting = PeerGreeting(pending) { throw .stranger("it is \(greeting.phrase)") }
        var start = 0
        defer {
            pending.removeFirst(start)
            searched = max(0, searched - start)
        }
        while let end = pending[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = pending[start..<end]
            readBytes += end + 1 - start
            start = end + 1
            searched = start
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard readBytes <= Self.limitBytes else { break }
            guard try take(line) else { continue }
            isOver = true
            let first = Array(pending[start...])
            start = pending.count
            return .connected(first: first)
        }
        searched = pending.count
        guard readBytes + pending.count - start <= Self.limitBytes else {
            throw .stranger("its answer is longer than \(Self.limitBytes) bytes")
        }
        return .wait
    }

    /// Takes a line without its end; returns whether the tunnel is open after it.
    private mutating func take(_ line: ArraySlice<UInt8>) throws(ProxyFailure) -> Bool {
        guard let status else {
            try takeStatus(line)
            return false
        }
        guard line.isEmpty else {
            takeField(line)
            return false
        }
        switch status {
        // An interim answer; another one follows.
        case 100..<200: (self.status, reason, schemes) = (nil, "", [])
        case 200..<300: return true
        // 407 is the one for a proxy; tinyproxy says 401.
        case 401, 407: throw .notAuthorized(loginWords)
        case 502, 503, 504: throw .targetUnreachable("it answered \(answer)")
        default: throw .refused("it answered \(answer)")
        }
        return false
    }

    private mutating func takeStatus(_ line: ArraySlice<UInt8>) throws(ProxyFailure) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard let version = parts.first, version.starts(with: "HTTP/1.".utf8), version.count == 8, parts.count >= 2,
            parts[1].count == 3, parts[1].allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .stranger("its answer has no status line of HTTP/1") }
        status = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        reason = parts.count > 2 ? InertText.quote(String(decoding: parts[2], as: UTF8.self), limitBytes: 100) : ""
    }

    private mutating func takeField(_ line: ArraySlice<UInt8>) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.map({ $0 | 0x20 }) == Array("proxy-authenticate".utf8).map({ $0 | 0x20 }), schemes.count < 4 else {
            return
        }
        let value = line.dropFirst(name.count + 1).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let scheme = value.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let words = InertText.quote(String(decoding: scheme, as: UTF8.self), limitBytes: 40)
        if !words.isEmpty { schemes.append(words) }
    }

    private var answer: String {
        let code = status.map(String.init) ?? ""
        return reason.isEmpty ? code : "\(code) (\(reason))"
    }

    private var loginWords: String {
        let wanted = schemes.isEmpty ? "a login" : "a login (\(schemes.joined(separator: ", ")))"
        return "it wants \(wanted), or another one than was given"
    }
}
