// Riff
// SPDX-License-Identifier: Apache-2.0

/// A request of the client; draft-ietf-secsh-filexfer-02 sections 4, 6 and 8, and OpenSSH's PROTOCOL section 4.
package enum SFTPRequest: Sendable, Hashable {
    /// The server's name for an open file or directory.
    package typealias Handle = [UInt8]

    /// The flags with which a file is opened.
    package struct OpenFlags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let read = OpenFlags(rawValue: 0x01)
        package static let write = OpenFlags(rawValue: 0x02)
        package static let append = OpenFlags(rawValue: 0x04)
        package static let create = OpenFlags(rawValue: 0x08)
        package static let truncate = OpenFlags(rawValue: 0x10)
        package static let exclusive = OpenFlags(rawValue: 0x20)
    }

    case open(path: String, OpenFlags, SFTPAttributes)
    case close(Handle)
    case read(Handle, offset: UInt64, count: UInt32)
    case write(Handle, offset: UInt64, ArraySlice<UInt8>)
    case status(path: String)
    case linkStatus(path: String)
    case handleStatus(Handle)
    case setStatus(path: String, SFTPAttributes)
    case setHandleStatus(Handle, SFTPAttributes)
    case openDirectory(path: String)
    case readDirectory(Handle)
    case remove(path: String)
    case makeDirectory(path: String, SFTPAttributes)
    case removeDirectory(path: String)
    case realPath(path: String)
    case rename(path: String, to: String)
    /// `posix-rename@openssh.com`: replaces what is there, in one step.
    case replace(path: String, to: String)
    /// `fsync@openssh.com`
    case synchronize(Handle)
    /// `limits@openssh.com`
    case limits

    /// The version of the protocol that is spoken: the one every server has.
    static let version: UInt32 = 3

    /// The first packet of all.
    package static var initialPacket: [UInt8] {
        var writer = SFTPWriter()
        writer.byte(1)
        writer.uint32(version)
        return writer.packet
    }

    /// The request as a packet.
    package func packet(id: UInt32) -> [UInt8] {
        var writer = SFTPWriter()
        func start(_ type: UInt8) {
            writer.byte(type)
            writer.uint32(id)
        }
        func extended(_ name: String) {
            start(200)
            writer.string(name)
        }
        switch self {
        case .open(let path, let flags, let attributes):
            start(3)
            writer.string(path)
            writer.uint32(flags.rawValue)
            attributes.write(to: &writer)
        case .close(let handle):
            start(4)
            writer.string(handle)
        case .read(let handle, let offset, let count):
            start(5)
            writer.string(handle)
            writer.uint64(offset)
            writer.uint32(count)
        case .write(let handle, let offset, let bytes):
            start(6)
            writer.string(handle)
            writer.uint64(offset)
            writer.string(bytes)
        case .linkStatus(let path):
            start(7)
            writer.string(path)
        case .handleStatus(let handle):
            start(8)
            writer.string(handle)
        case .setStatus(let path, let attributes):
            start(9)
            writer.string(path)
            attributes.write(to: &writer)
        case .setHandleStatus(let handle, let attributes):
            start(10)
            writer.string(handle)
            attributes.write(to: &writer)
        case .openDirectory(let path):
            start(11)
            writer.string(path)
        case .readDirectory(let handle):
            start(12)
            writer.string(handle)
        case .remove(let path):
            start(13)
            writer.string(path)
        case .makeDirectory(let path, let attributes):
            start(14)
            writer.string(path)
            attributes.write(to: &writer)
        case .removeDirectory(let path):
            start(15)
            writer.string(path)
        case .realPath(let path):
            start(16)
            writer.string(path)
        case .status(let path):
            start(17)
            writer.string(path)
        case .rename(let path, let newPath):
            start(18)
            writer.string(path)
            writer.string(newPath)
        case .replace(let path, let newPath):
            extended("posix-rename@openssh.com")
            writer.string(path)
            writer.string(newPath)
        case .synchronize(let handle):
            extended("fsync@openssh.com")
            writer.string(handle)
        case .limits:
            extended("limits@openssh.com")
        }
        return writer.packet
    }
}
