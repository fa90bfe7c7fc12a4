// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A response of the server; draft-ietf-secsh-filexfer-02 section 7.
package enum SFTPResponse: Sendable, Hashable {
    case status(Status)
    case handle(SFTPRequest.Handle)
    case data([UInt8])
    case names([Name])
    case attributes(SFTPAttributes)
    /// The answer of an extension, not looked into.
    case extended([UInt8])

    /// The way that a request ended, and the server's own words for it.
    package struct Status: Sendable, Hashable {
        package let code: Code
        package let words: String

        /// The open set of codes.
        package struct Code: RawRepresentable, Sendable, Hashable {
            package let rawValue: UInt32
            package init(rawValue: UInt32) { self.rawValue = rawValue }
            package static let ok = Code(rawValue: 0)
            package static let endOfFile = Code(rawValue: 1)
            package static let noSuchFile = Code(rawValue: 2)
            package static let permissionDenied = Code(rawValue: 3)
            package static let failure = Code(rawValue: 4)
            package static let badMessage = Code(rawValue: 5)
            package static let noConnection = Code(rawValue: 6)
            package static let connectionLost = Code(rawValue: 7)
            package static let unsupported = Code(rawValue: 8)
        }
    }

    /// One name of a directory, or a resolved path.
    package struct Name: Sendable, Hashable {
        package let name: String
        /// Whether the bytes of the name are UTF-8.
        package let isExact: Bool
        package let longName: String
        package let attributes: SFTPAttributes
    }

    /// Decodes a packet without its length.
    ///
    /// - Parameter packet: The packet.
    /// - Returns: The id of the request it answers, and the answer.
    /// - Throws: `TransportError` with `sftpMalformed`.
    package static func decode(_ packet: ArraySlice<UInt8>) throws(TransportError) -> (id: UInt32, SFTPResponse) {
        var reader = SFTPReader(packet)
        let type = try reader.byte()
        let id = try reader.uint32()
        switch type {
        case 101:
            let code = Status.Code(rawValue: try reader.uint32())
            // Old servers end here, without words.
            return (id, .status(Status(code: code, words: reader.isAtEnd ? "" : try reader.text())))
        case 102: return (id, .handle(Array(try reader.string())))
        case 103: return (id, .data(Array(try reader.string())))
        case 104:
            var names: [Name] = []
            for _ in 0..<(try reader.uint32()) {
                let (name, isExact) = try reader.name()
                let longName = try reader.text()
                let attributes = try SFTPAttributes(from: &reader)
                names.append(Name(name: name, isExact: isExact, longName: longName, attributes: attributes))
            }
            return (id, .names(names))
        case 105: return (id, .attributes(try SFTPAttributes(from: &reader)))
        case 201: return (id, .extended(Array(reader.rest())))
        default:
            throw TransportError(.sftpMalformed, "The host's file service sent a packet of unknown type \(type).")
        }
    }
}

/// The features of a server, from its first packet; section 4 of the same.
package struct SFTPFeatures: Sendable, Hashable {
    /// Each extension and its version, such as `posix-rename@openssh.com` and `1`.
    package let extensions: [String: String]

    /// Whether a rename can replace what is there.
    package var canReplace: Bool { extensions["posix-rename@openssh.com"] == "1" }
    /// Whether a file can be made durable.
    package var canSynchronize: Bool { extensions["fsync@openssh.com"] == "1" }
    /// Whether the server tells its limits.
    package var tellsLimits: Bool { extensions["limits@openssh.com"] == "1" }

    package static func decode(_ packet: ArraySlice<UInt8>) throws(TransportError) -> SFTPFeatures {
        var reader = SFTPReader(packet)
        guard try reader.byte() == 2 else {
            throw TransportError(.sftpMalformed, "The host's file service did not begin with its version.")
        }
        let version = try reader.uint32()
        guard version >= SFTPRequest.version else {
            throw TransportError(.sftpMalformed, "The host's file service speaks SFTP version \(version); 3 is needed.")
        }
        var extensions: [String: String] = [:]
        while !reader.isAtEnd {
            let name = try reader.text()
            extensions[name] = try reader.text()
        }
        return SFTPFeatures(extensions: extensions)
    }
}

/// The limits in the answer to `limits@openssh.com`; 0 means that the server reported none.
package struct SFTPLimits: Sendable, Hashable {
    package let packetBytes: UInt64
    package let readBytes: UInt64
    package let writeBytes: UInt64
    package let openHandles: UInt64

    static func decode(_ bytes: [UInt8]) throws(TransportError) -> SFTPLimits {
        var reader = SFTPReader(bytes[...])
        return SFTPLimits(
            packetBytes: try reader.uint64(),
            readBytes: try reader.uint64(),
            writeBytes: try reader.uint64(),
            openHandles: try reader.uint64()
        )
    }
}
