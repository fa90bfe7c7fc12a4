// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The client's end of SOCKS 5 (RFC 1928), with a user and a password where they are given (RFC 1929).
package struct SOCKS5Machine: ProxyHandshake {
    private enum State {
        case method, login, reply, over
    }

    private let target: SOCKSTarget
    private let login: (user: [UInt8], password: Secret)?
    private var state = State.method
    /// The bytes that came and are not read yet: less than one answer, which has 262 bytes at most.
    private var pending: [UInt8] = []

    /// - Parameters:
    ///   - target: Where to.
    ///   - user: The user's name, 1 to 255 bytes; `nil` without a login.
    ///   - password: At most 255 bytes.
    package init(to target: SOCKSTarget, user: [UInt8]? = nil, password: Secret = Secret("")) {
        self.target = target
        login = user.map { ($0, password) }
    }

    package var greeting: [UInt8] { login == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    package mutating func handle(_ bytes: [UInt8]) throws(ProxyFailure) -> ProxyStep {
        pending += bytes
        let step = try next()
        // A proxy cannot have answered what it was not asked yet.
        if case .send = step, !pending.isEmpty { throw .stranger("it answers before it is asked") }
        return step
    }

    private mutating func next() throws(ProxyFailure) -> ProxyStep {
        switch state {
        case .method: try takeMethod()
        case .login: try takeLogin()
        case .reply: try takeReply()
        case .over: .wait
        }
    }

    private mutating func takeMethod() throws(ProxyFailure) -> ProxyStep {
        if let version = pending.first, version != 5 { throw stranger(version) }
        guard pending.count >= 2 else { return .wait }
        let method = pending[1]
        pending.removeFirst(2)
        switch (method, login) {
        case (0, _):
            state = .reply
            return .send(request)
        case (2, let login?):
            state = .login
            let password = login.password.bytes
            return .send(
                [1, UInt8(clamping: login.user.count)] + login.user + [UInt8(clamping: password.count)] + password
            )
        case (0xFF, nil): throw .notAuthorized("it wants a login, and none was given")
        case (0xFF, _): throw .notAuthorized("it takes no login by user and password")
        default: throw .stranger("it chose method \(method), which was not offered")
        }
    }

    private mutating func takeLogin() throws(ProxyFailure) -> ProxyStep {
        guard pending.count >= 2 else { return .wait }
        // The version of the login is 1; some proxies say that of SOCKS.
        guard pending[0] == 1 || pending[0] == 5 else { throw stranger(pending[0]) }
        guard pending[1] == 0 else { throw .notAuthorized("it does not accept the user and the password") }
        pending.removeFirst(2)
        state = .reply
        return .send(request)
    }

    private var request: [UInt8] {
        let address: [UInt8] =
            switch target.host {
            case .ipv4(let bytes): [1] + bytes
            case .name(let bytes): [3, UInt8(clamping: bytes.count)] + bytes
            case .ipv6(let bytes): [4] + bytes
            }
        return [5, 1, 0] + address + target.portBytes
    }

    private mutating func takeReply() throws(ProxyFailure) -> ProxyStep {
        if let version = pending.first, version != 5 { throw stranger(version) }
        guard pending.count >= 2 else { return .wait }
        // A proxy that says no may say no more than that.
        guard pending[1] == 0 else { throw Self.failure(pending[1]) }
        guard pending.count >= 5 else { return .wait }
        let length: Int
        switch pending[3] {
        case 1: length = 10
        case 3: length = 7 + Int(pending[4])
        case 4: length = 22
        default: throw .stranger("its answer has an address of the unknown type \(pending[3])")
        }
        guard pending.count >= length else { return .wait }
        state = .over
        return .connected(first: Array(pending.dropFirst(length)))
    }

    private static func failure(_ code: UInt8) -> ProxyFailure {
        switch code {
        case 2: .refused("its rules do not allow it")
        case 3: .targetUnreachable("it has no way to that network")
        case 4: .targetUnreachable("it cannot reach the host, or does not know its name")
        case 5: .targetRefused
        case 6: .targetUnreachable("the host did not answer in time")
        case 7: .refused("it makes no connections")
        case 8: .refused("it does not take this kind of address")
        default: .refused("it failed with code \(code)")
        }
    }

    private func stranger(_ byte: UInt8) -> ProxyFailure {
        .stranger("its answer begins with \(byte) and not with 5")
    }
}
