// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Something asked of a session's other side (RFC 4254 section 6).
package enum SSHSessionRequest: Sendable, Hashable {
    case terminal(type: String, columns: UInt32, rows: UInt32)
    case environment(name: String, value: String)
    case shell
    case exec(String)
    case subsystem(String)
    case resize(columns: UInt32, rows: UInt32)
    /// A signal by its name without `SIG`.
    case signal(String)

    var type: String {
        switch self {
        case .terminal: "pty-req"
        case .environment: "env"
        case .shell: "shell"
        case .exec: "exec"
        case .subsystem: "subsystem"
        case .resize: "window-change"
        case .signal: "signal"
        }
    }

    /// Two of them never have an answer.
    var wantsReply: Bool {
        switch self {
        case .resize, .signal: false
        default: true
        }
    }

    var fields: [UInt8] {
        var writer = SSHWireWriter()
        switch self {
        case .terminal(let type, let columns, let rows):
            writer.write(text: type)
            for number in [columns, rows, 0, 0] { writer.write(uint32: number) }
            // No modes but the end of their list: the server's own are right.
            writer.write(string: [0])
        case .environment(let name, let value):
            writer.write(text: name)
            writer.write(text: value)
        case .shell: break
        case .exec(let text), .subsystem(let text), .signal(let text): writer.write(text: text)
        case .resize(let columns, let rows): for number in [columns, rows, 0, 0] { writer.write(uint32: number) }
        }
        return writer.bytes
    }
}

/// The way that a command ended (RFC 4254 section 6.10).
package enum SSHChannelExit: Sendable, Hashable {
    case status(UInt32)
    case signal(name: String, dumpedCore: Bool, message: String)

    /// `nil` for a request that says something else.
    init?(type: String, fields: [UInt8]) throws(SSHError) {
        do throws(CoreError) {
            var reader = SSHWireReader(fields)
            switch type {
            case "exit-status": self = .status(try reader.readUInt32())
            case "exit-signal":
                let name = try reader.readText()
                let dumped = try reader.readBool()
                self = .signal(name: name, dumpedCore: dumped, message: try reader.readText())
                // The language; some servers leave it out.
                _ = try reader.readRest()
            default: return nil
            }
            guard reader.isAtEnd else { throw SSHWireReader.malformed }
        } catch {
            throw .violation("a command's end is malformed")
        }
    }
}
