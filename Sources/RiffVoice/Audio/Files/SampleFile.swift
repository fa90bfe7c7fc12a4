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
    private var descriptor: Int32

    /// Makes the file with its header; nothing is left where that fails.
    init(path: String, header: [UInt8]) throws(CoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SampleFile.failure("made", path, errno) }
        do {
            try SampleFile.write(header, to: descriptor, at: 0, path: path)
        } catch {
            close(descriptor)
            unlink(path)
            throw error
        }
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether it was finished.
    var isFinished: Bool { descriptor < 0 }

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
        try SampleFile.write(bytes, to: descriptor, at: offset, path: path)
    }

    /// Brings the file to the disk and closes it.
    mutating func finish() throws(CoreError) {
        guard !isFinished else { return }
        guard fsync(descriptor) == 0 else { throw SampleFile.failure("brought to the disk", path, errno) }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw SampleFile.failure("closed", path, errno) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int, path: String) throws(CoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("written", path, errno)
            }
            done += count
        }
    }

    private static func failure(_ verb: String, _ path: String, _ number: Int32) -> CoreError {
        CoreError(.audioFileFailed, "\(path) could not be \(verb): \(String(cString: strerror(number))).")
    }
}
