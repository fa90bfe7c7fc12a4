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
    private let file: PosixFile

    init(_ path: String) throws(VoiceError) {
        self.path = path
        do throws(SystemFailure) { file = try PosixFile(path, O_RDONLY) } catch {
            throw ReadOnlyFile.failure("opened", path, error)
        }
    }

    /// The next bytes; none at the end.
    func read(upTo count: Int) throws(VoiceError) -> [UInt8] {
        do throws(SystemFailure) { return try file.read(upTo: count) } catch {
            throw ReadOnlyFile.failure("read", path, error)
        }
    }

    private static func failure(_ verb: String, _ path: String, _ failure: SystemFailure) -> VoiceError {
        VoiceError(.fileFailed, "\(path) could not be \(verb): \(failure.text).")
    }
}

extension VoiceErrorCode {
    /// A local file could not be opened, read, written or moved.
    public static let fileFailed = VoiceError.Code(rawValue: "fileFailed")
}
