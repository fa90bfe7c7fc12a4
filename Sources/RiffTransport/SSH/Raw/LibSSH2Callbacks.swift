// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension LibSSH2Engine {
    /// The callbacks cannot capture; they find the engine through the session's abstract pointer, unretained because
    /// the engine owns the session.
    func installCallbacks() {
        context.pointee.engine = Unmanaged.passUnretained(self)
        riff_libssh2_set_callbacks(session, libssh2Send, libssh2Receive, libssh2Disconnect)
    }

    static func engine(
        _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> LibSSH2Engine? {
        LibSSH2Memory.context(abstract)?.pointee.engine?.takeUnretainedValue()
    }
}

/// Takes everything, so that libssh2 never has a half-sent packet, which it could only finish with the same arguments.
/// The descriptor is checked because libssh2's agent code calls this with the agent's socket.
private let libssh2Send: riff_libssh2_send = { descriptor, bytes, count, _, abstract in
    guard descriptor == LibSSH2Engine.noDescriptor, let engine = LibSSH2Engine.engine(abstract) else { return -1 }
    engine.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
}

/// "Would block" is the negative errno here, neither -1 nor libssh2's own code; 0 means the end of input.
private let libssh2Receive: riff_libssh2_recv = { descriptor, target, limit, _, abstract in
    guard descriptor == LibSSH2Engine.noDescriptor, let engine = LibSSH2Engine.engine(abstract), let target else {
        return -1
    }
    // libssh2 takes an empty line before the server's identification for its end, so it gets none of those lines.
    let isIdentified = engine.preamble.serverVersion != nil
    let count = isIdentified ? min(limit, engine.input.count - engine.inputOffset) : 0
    guard count > 0 else { return engine.inputHasEnded ? 0 : -Int(EAGAIN) }
    engine.input.withUnsafeBytes { input in
        let rest = UnsafeRawBufferPointer(rebasing: input[engine.inputOffset..<(engine.inputOffset + count)])
        UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: rest)
    }
    engine.inputOffset += count
    return count
}

/// The server says good-bye (RFC 4253 section 11.1), in words that may be anything.
private let libssh2Disconnect: riff_libssh2_disconnect = { _, _, text, count, _, _, abstract in
    guard let engine = LibSSH2Engine.engine(abstract) else { return }
    engine.hasSaidGoodbye = true
    guard let text, count > 0 else { return }
    let words = String(decoding: UnsafeRawBufferPointer(start: text, count: min(Int(count), 256)), as: UTF8.self)
    let line = InertText.line(words)
    engine.goodbye = line.isEmpty ? nil : line
}
#endif
