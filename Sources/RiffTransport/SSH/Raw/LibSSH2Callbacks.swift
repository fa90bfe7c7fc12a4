// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A signature being made outside, for the one authentication under way.
final class LibSSH2Signing {
    let sign: ([UInt8], _ done: @escaping (Result<[UInt8], TransportError>) -> Void) -> Void
    var hasStarted = false
    var result: Result<[UInt8], TransportError>?

    init(_ sign: @escaping ([UInt8], _ done: @escaping (Result<[UInt8], TransportError>) -> Void) -> Void) {
        self.sign = sign
    }
}

extension LibSSH2Engine {
    /// The callbacks cannot capture; they find the engine through the session's abstract pointer, unretained because
    /// the engine owns the session.
    func installCallbacks() {
        context.pointee.engine = Unmanaged.passUnretained(self)
        riff_libssh2_set_callbacks(session, libssh2Send, libssh2Receive, libssh2Disconnect)
    }

    fileprivate static func engine(
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
    guard let text, count > 0, let engine = LibSSH2Engine.engine(abstract) else { return }
    let words = String(decoding: UnsafeRawBufferPointer(start: text, count: min(Int(count), 256)), as: UTF8.self)
    let line = InertText.line(words)
    engine.goodbye = line.isEmpty ? nil : line
}

/// Answers keyboard-interactive prompts. libssh2 frees the answers, so they are memory of the session.
let libssh2Prompt:
    @convention(c) (
        UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
        UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, _, _, _, count, prompts, responses, abstract in
        guard count > 0, let prompts, let responses, let answer = LibSSH2Engine.engine(abstract)?.answerPrompts else {
            return
        }
        let questions = (0..<Int(count)).map { index in
            let raw = UnsafeRawBufferPointer(start: prompts[index].text, count: Int(prompts[index].length))
            return SSHPrompt(
                text: InertText.prompt(String(decoding: raw.prefix(4_000), as: UTF8.self)),
                echoes: prompts[index].echo != 0
            )
        }
        for (index, secret) in answer(questions).prefix(questions.count).enumerated() {
            let context = LibSSH2Memory.context(abstract)
            guard let copy = LibSSH2Memory.allocate(max(1, secret.bytes.count), context) else { return }
            secret.bytes.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: bytes.count) }
            }
            responses[index].text = copy.assumingMemoryBound(to: CChar.self)
            responses[index].length = UInt32(secret.bytes.count)
        }
    }

/// Lets a signature be made outside (an agent, an enclave): "again" until it is there.
let libssh2Sign:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 = { session, signature, length, data, count, _ in
        guard let session, let signing = LibSSH2Engine.engine(libssh2_session_abstract(session))?.signing else {
            return -1
        }
        if !signing.hasStarted {
            signing.hasStarted = true
            signing.sign(Array(UnsafeBufferPointer(start: data, count: count))) { signing.result = $0 }
        }
        switch signing.result {
        case nil: return LIBSSH2_ERROR_EAGAIN
        case .failure: return LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED
        case .success(let bytes):
            let context = LibSSH2Memory.context(libssh2_session_abstract(session))
            guard let copy = LibSSH2Memory.allocate(max(1, bytes.count), context) else { return LIBSSH2_ERROR_ALLOC }
            bytes.withUnsafeBytes { if let base = $0.baseAddress { copy.copyMemory(from: base, byteCount: $0.count) } }
            signature?.pointee = copy.assumingMemoryBound(to: UInt8.self)
            length?.pointee = bytes.count
            return 0
        }
    }
#endif
