// Riff
// SPDX-License-Identifier: Apache-2.0

/// The client's end of SOCKS 4a, which lets the proxy resolve names, and of SOCKS 4 for an IPv4 address.
package struct SOCKS4Machine: ProxyHandshake {
    private static let replyBytes = 8

    package let greeting: [UInt8]
    private var pending: [UInt8] = []
    private var isOver = false

    /// - Parameters:
    ///   - target: Where to.
    ///   - user: The user's name, without a NUL byte; a proxy may ask the machine itself for it.
    package init(to target: SOCKSTarget, user: [UInt8] = []) {
        let start: [UInt8] = [4, 1] + target.portBytes
        if case .ipv4(let address) = target.host {
            greeting = start + address + user + [0]
        } else {
            greeting = start + [0, 0, 0, 1] + user + [0] + target.text + [0]
        }
    }

    package mutating func handle(_ bytes: [UInt8]) throws(ProxyFailure) -> ProxyStep {
        guard !isOver else { return .wait }
        pending += bytes
        if let version = pending.first, version != 0 {
            throw .stranger("its answer begins with \(version) and not with 0")
        }
        guard pending.count >= 2 else { return .wait }
        switch pending[1] {
        case 90: break
        case 91: throw .refused("it would not, or could not")
        case 92, 93: throw .notAuthorized("it does not accept the user")
        default: throw .stranger("it answers with the unknown code \(pending[1])")
        }
        guard pending.count >= Self.replyBytes else { return .wait }
        isOver = true
        return .connected(first: Array(pending.dropFirst(Self.replyBytes)))
    }
}
