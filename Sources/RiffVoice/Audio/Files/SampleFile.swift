// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A local file that a recorder writes: a header at its start, samples behind it. Made new, readable by its owner only;
/// one already there is not touched. Writing blocks.
struct SampleFile: ~Copyable {
    let path: String
    private var file: PosixFile?

    /// Makes the file with its header; nothing is left where that fails.
    init(path: String, header: [UInt8]) throws(CoreError) {
        self.path = path
        do throws(SystemFailure) { file = try PosixFile(path, O_WRONLY | O_CREAT | O_EXCL) } catch {
            throw SampleFile.failure("made", path, error)
        }
        do throws(SystemFailure) { try file?.write(header, at: 0) } catch {
            unlink(path)
            throw SampleFile.failure("written", path, error)
        }
    }

    /// Whether it was finished.
    var isFinished: Bool { file == nil }

    /// Throws where it was finished, or the bytes are not whole frames.
    func check(_ frames: [UInt8], of format: AudioFormat) throws(CoreError) {
        guard !isFinished else {
            throw CoreError(.audioFileFailed, "\(path) was already finished; nothing can be appended.")
        }
        guard frames.count % format.bytesPerFrame == 0 else {
            throw CoreError(
                .audioMalformed,
                "\(frames.count) bytes are not whole frames of \(format.bytesPerFrame) bytes."
            )
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(CoreError) {
        do throws(SystemFailure) {
            guard let () = try file?.write(bytes, at: Int64(offset)) else { throw SystemFailure("pwrite", code: EBADF) }
        } catch {
            throw SampleFile.failure("written", path, error)
        }
    }

    /// Brings the file to the disk and closes it.
    mutating func finish() throws(CoreError) {
        do throws(SystemFailure) { try file?.sync() } catch {
            throw SampleFile.failure("brought to the disk", path, error)
        }
        guard let file = file.take() else { return }
        do throws(SystemFailure) { try file.close() } catch { throw SampleFile.failure("closed", path, error) }
    }

    private static func failure(_ verb: String, _ path: String, _ failure: SystemFailure) -> CoreError {
        CoreError(.audioFileFailed, "\(path) could not be \(verb): \(failure.text).")
    }
}
