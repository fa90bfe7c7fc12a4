// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A channel that this side opens.
package enum SSHOutgoingChannel: Sendable, Hashable {
    /// A command, a terminal or a subsystem (RFC 4254 section 6.1).
    case session
    /// TCP from the server to somewhere (RFC 4254 section 7.2).
    case tcp(host: String, port: UInt16)
    /// A Unix socket of the server (OpenSSH's PROTOCOL, section 2.4).
    case streamLocal(path: String)

    var type: String {
        switch self {
        case .session: "session"
        case .tcp: "direct-tcpip"
        case .streamLocal: "direct-streamlocal@openssh.com"
        }
    }

    var fields: [UInt8] {
        var writer = SSHWireWriter()
        switch self {
        case .session: break
        case .tcp(let host, let port):
            writer.write(text: host)
            writer.write(uint32: UInt32(port))
            // Where the connection came from: nowhere but here.
            writer.write(text: "127.0.0.1")
            writer.write(uint32: 0)
        case .streamLocal(let path):
            writer.write(text: path)
            writer.write(text: "")
            writer.write(uint32: 0)
        }
        return writer.bytes
    }
}

/// A channel that the server opens for a forwarding (RFC 4254 section 7.2; OpenSSH's PROTOCOL, section 2.4).
package enum SSHForwardedChannel: Sendable, Hashable {
    case tcp(address: String, port: UInt32, originAddress: String, originPort: UInt32)
    case streamLocal(path: String)

    static let types = ["forwarded-tcpip", "forwarded-streamlocal@openssh.com"]

    init(type: String, fields: [UInt8]) throws(SSHError) {
        do throws(CoreError) {
            var reader = SSHWireReader(fields)
            if type == "forwarded-tcpip" {
                let address = try reader.readText()
                let port = try reader.readUInt32()
                let origin = try reader.readText()
                self = .tcp(address: address, port: port, originAddress: origin, originPort: try reader.readUInt32())
            } else {
                self = .streamLocal(path: try reader.readText())
                _ = try reader.readString()
            }
            guard reader.isAtEnd else { throw SSHWireReader.malformed }
        } catch {
            throw .violation("the fields of a forwarded channel are malformed")
        }
    }
}

/// A forwarding from the server to here.
package enum SSHForwarding: Sendable, Hashable {
    /// Port 0 lets the server choose; its answer has the port.
    case tcp(address: String, port: UInt32)
    case streamLocal(path: String)

    var requestType: String {
        switch self {
        case .tcp: "tcpip-forward"
        case .streamLocal: "streamlocal-forward@openssh.com"
        }
    }

    var cancelType: String { "cancel-" + requestType }

    var fields: [UInt8] {
        var writer = SSHWireWriter()
        switch self {
        case .tcp(let address, let port):
            writer.write(text: address)
            writer.write(uint32: port)
        case .streamLocal(let path): writer.write(text: path)
        }
        return writer.bytes
    }

    /// Whether a channel is of this forwarding. The address is the server's to name, and is not compared.
    func covers(_ channel: SSHForwardedChannel) -> Bool {
        switch (self, channel) {
        case (.tcp(_, let port), .tcp(_, let used, _, _)): port == used
        case (.streamLocal(let path), .streamLocal(let used)): path == used
        default: false
        }
    }
}
