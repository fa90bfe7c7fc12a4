// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The value that a session's abstract pointer leads to: the engine for the callbacks, the amount of memory that the
/// session holds, and the packets that it lets go of.
///
/// libssh2 keeps each packet that nobody asked for until somebody does, without a limit. Its memory is therefore
/// counted: a peer that makes it grow beyond what the open channels can need is left
/// (``LibSSH2Engine/allowedBytes``).
struct LibSSH2Context {
    /// The bytes that are allocated now.
    var heldBytes = 0
    /// Not retained: the engine owns the session.
    var engine: Unmanaged<LibSSH2Engine>?
    var packets = LibSSH2PacketWatch()
    var login = LibSSH2LoginWatch()
    /// Whether nothing more is given: the call under way is to fail.
    var refusesMemory = false
}

/// Memory for libssh2, its size in front of it.
enum LibSSH2Memory {
    /// As much as the alignment of anything.
    private static let headerBytes = 16

    static func allocate(_ count: Int, _ context: UnsafeMutablePointer<LibSSH2Context>?) -> UnsafeMutableRawPointer? {
        resize(nil, to: count, context)
    }

    static func resize(
        _ old: UnsafeMutableRawPointer?,
        to count: Int,
        _ context: UnsafeMutablePointer<LibSSH2Context>?
    ) -> UnsafeMutableRawPointer? {
        let oldCount = old.map(size(of:)) ?? 0
        let (total, overflows) = count.addingReportingOverflow(headerBytes)
        guard count >= 0, !overflows, context?.pointee.refusesMemory != true else { return nil }
        if let old { context?.pointee.login.didFree(UnsafeRawBufferPointer(start: old, count: oldCount)) }
        guard let start = realloc(old.map { $0 - headerBytes }, total) else { return nil }
        start.storeBytes(of: count, as: Int.self)
        context?.pointee.heldBytes += count - oldCount
        context?.pointee.login.didAllocate(UnsafeRawBufferPointer(start: start + headerBytes, count: count))
        return start + headerBytes
    }

    /// A copy for libssh2 to free.
    static func copy(
        of bytes: [UInt8],
        _ context: UnsafeMutablePointer<LibSSH2Context>?
    ) -> UnsafeMutableRawPointer? {
        guard let copy = allocate(max(1, bytes.count), context) else { return nil }
        bytes.withUnsafeBytes { if let base = $0.baseAddress { copy.copyMemory(from: base, byteCount: $0.count) } }
        return copy
    }

    static func release(_ memory: UnsafeMutableRawPointer?, _ context: UnsafeMutablePointer<LibSSH2Context>?) {
        guard let memory else { return }
        let count = size(of: memory)
        context?.pointee.heldBytes -= count
        let block = UnsafeRawBufferPointer(start: memory, count: count)
        context?.pointee.packets.didFree(block)
        context?.pointee.login.didFree(block)
        free(memory - headerBytes)
    }

    private static func size(of memory: UnsafeMutableRawPointer) -> Int {
        (memory - headerBytes).load(as: Int.self)
    }

    static func context(
        _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> UnsafeMutablePointer<LibSSH2Context>? {
        abstract?.pointee?.assumingMemoryBound(to: LibSSH2Context.self)
    }
}

let libssh2Allocate: @convention(c) (Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> UnsafeMutableRawPointer? =
    {
        LibSSH2Memory.allocate($0, LibSSH2Memory.context($1))
    }

let libssh2Free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Void = {
    LibSSH2Memory.release($0, LibSSH2Memory.context($1))
}

let libssh2Reallocate:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?)
        -> UnsafeMutableRawPointer? = { LibSSH2Memory.resize($0, to: $1, LibSSH2Memory.context($2)) }
#endif
