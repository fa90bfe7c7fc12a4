// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A local file that is read from its start; closed when it goes away. Reading blocks.
final class ReadOnlyFile {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws(VoiceError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw ReadOnlyFile.failure("opened", path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next bytes; none at the end.
    func read(upTo count: Int) throws(VoiceError) -> [UInt8] {
        while true {
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                #if canImport(Glibc)
                result = Glibc.read(descriptor, buffer.baseAddress, count)
                #elseif canImport(Musl)
                result = Musl.read(descriptor, buffer.baseAddress, count)
                #elseif canImport(Darwin)
                result = Darwin.read(descriptor, buffer.baseAddress, count)
                #endif
                initialized = max(0, result)
            }
            if result >= 0 { return bytes }
            if errno != EINTR { throw ReadOnlyFile.failure("read", path) }
        }
    }

    private static func failure(_ verb: String, _ path: String) -> VoiceError {
        VoiceError(.fileFailed, "\(path) could not be \(verb): \(String(cString: strerror(errno))).")
    }
}

extension VoiceErrorCode {
    /// A local file could not be opened, read, written or moved.
    public static let fileFailed = VoiceError.Code(rawValue: "fileFailed")
}
