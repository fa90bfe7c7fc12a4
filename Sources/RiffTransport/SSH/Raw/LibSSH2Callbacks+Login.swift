// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

/// A signature being made outside, for the one authentication under way.
final class LibSSH2Signing {
    let sign: SSHSignatureQuestion
    var hasStarted = false
    var result: Result<[UInt8], TransportError>?

    init(_ sign: @escaping SSHSignatureQuestion) { self.sign = sign }

    /// Begins to sign what libssh2 made, which names the algorithm (RFC 4252 section 7).
    func start(_ data: [UInt8]) {
        hasStarted = true
        var reader = SSHWireReader(data)
        do throws(CoreError) {
            _ = try reader.readString()  // The session.
            _ = try reader.readByte()
            for _ in 0..<3 { _ = try reader.readString() }  // The user, the service and the method.
            _ = try reader.readByte()
            let algorithm = try reader.readName()
            sign(SSHSigningRequest(data: data, algorithm: algorithm)) { [self] outcome in
                result = outcome.flatMap { signature in
                    Result { () throws(TransportError) in try signature.bare(of: algorithm) }
                }
            }
        } catch {
            result = .failure(TransportError(.keyUnusable, "What is to be signed cannot be read.", cause: error))
        }
    }
}

/// Answers keyboard-interactive prompts. libssh2 frees the answers, so they are memory of the session.
let libssh2Prompt:
    @convention(c) (
        UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
        UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, _, _, _, count, _, responses, abstract in
        let context = LibSSH2Memory.context(abstract)
        guard let answers = LibSSH2Engine.answers(context), answers.count == Int(count) else {
            // Without memory for its message libssh2 gives up, and the server hears of no answers.
            context?.pointee.refusesMemory = true
            return
        }
        for (index, secret) in answers.enumerated() {
            guard let copy = LibSSH2Memory.copy(of: secret.bytes, context) else { return }
            responses?[index].text = copy.assumingMemoryBound(to: CChar.self)
            responses?[index].length = UInt32(secret.bytes.count)
        }
    }

/// Gives a new password where the old one expired. libssh2 frees it.
let libssh2NewPassword:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeMutablePointer<Int32>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, password, length, abstract in
        let context = LibSSH2Memory.context(abstract)
        guard let answer = LibSSH2Engine.answers(context)?.first,
            let copy = LibSSH2Memory.copy(of: answer.bytes, context)
        else { return }
        password?.pointee = copy.assumingMemoryBound(to: CChar.self)
        length?.pointee = Int32(answer.bytes.count)
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
        if !signing.hasStarted { signing.start(Array(UnsafeBufferPointer(start: data, count: count))) }
        switch signing.result {
        case nil: return LIBSSH2_ERROR_EAGAIN
        case .failure: return LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED
        case .success(let bytes):
            let context = LibSSH2Memory.context(libssh2_session_abstract(session))
            guard let copy = LibSSH2Memory.copy(of: bytes, context) else { return LIBSSH2_ERROR_ALLOC }
            signature?.pointee = copy.assumingMemoryBound(to: UInt8.self)
            length?.pointee = bytes.count
            return 0
        }
    }

extension LibSSH2Engine {
    /// Asks what the server asked last; on the fiber's thread.
    fileprivate static func answers(_ context: UnsafeMutablePointer<LibSSH2Context>?) -> [Secret]? {
        guard let context, let fiber = context.pointee.engine?.takeUnretainedValue().fiber else { return nil }
        return fiber.ask(context.pointee.login.request ?? .other)
    }
}
#endif
