// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Writes a WAV file that is whole after every call: the samples are written first and the sizes in its header after
/// them, so that a process that dies leaves a file that plays up to the last append.
///
/// It writes to a local file and blocks for as long as that takes; use it off the cooperative pool where the file system
/// can be slow. The file is made new, readable by its owner only; one already there is not touched.
public struct WAVFileWriter: ~Copyable {
    /// The file.
    public let path: String
    /// How the samples are written.
    public let format: AudioFormat
    /// Bytes of samples written so far.
    public private(set) var dataBytes = 0

    private var descriptor: Int32
    private let headerBytes: Int

    /// Makes the file, with no samples in it.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed` where it cannot be made, also because it is there already, and
    ///   `audioInvalidFormat`.
    public init(path: String, format: AudioFormat) throws(CoreError) {
        let header = try WAVHeader.bytes(of: format, dataBytes: 0)
        let descriptor = try WAVFileWriter.create(path, header: header)
        self.descriptor = descriptor
        self.path = path
        self.format = format
        headerBytes = header.count
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends whole frames.
    ///
    /// - Throws: ``CoreError`` with `audioTooLarge` at 4 GiB, `audioFileFailed` (the disk is full, the file was closed),
    ///   `audioMalformed` for a cut frame. The file then holds what was there before.
    public mutating func append(_ frames: [UInt8]) throws(CoreError) {
        guard descriptor >= 0 else {
            throw CoreError(.audioFileFailed, "\(path) was already finished; nothing can be appended.")
        }
        guard frames.count % format.bytesPerFrame == 0 else {
            throw CoreError(
                .audioMalformed,
                "\(frames.count) bytes are not whole frames of \(format.bytesPerFrame) bytes."
            )
        }
        let header = try WAVHeader.bytes(of: format, dataBytes: dataBytes + frames.count)
        try WAVFileWriter.write(frames, to: descriptor, at: headerBytes + dataBytes, path: path)
        try WAVFileWriter.write(header, to: descriptor, at: 0, path: path)
        dataBytes += frames.count
    }

    /// Adds the pad byte that an odd number of sample bytes needs, brings the file to the disk and closes it. A second
    /// call does nothing.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed`.
    public mutating func finish() throws(CoreError) {
        guard descriptor >= 0 else { return }
        if dataBytes % 2 == 1 { try WAVFileWriter.write([0], to: descriptor, at: headerBytes + dataBytes, path: path) }
        guard fsync(descriptor) == 0 else { throw WAVFileWriter.failure("brought to the disk", path, errno) }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw WAVFileWriter.failure("closed", path, errno) }
    }

    private static func create(_ path: String, header: [UInt8]) throws(CoreError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("made", path, errno) }
        do {
            try write(header, to: descriptor, at: 0, path: path)
        } catch {
            close(descriptor)
            unlink(path)
            throw error
        }
        return descriptor
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
