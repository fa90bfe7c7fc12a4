// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Writes a WAV file that is whole after every call: the samples are written first and the sizes in its header after
/// them, so that a process that dies leaves a file that plays up to the last append.
///
/// It writes to a local file and blocks for as long as that takes; use it off the cooperative pool where the file
/// system can be slow. The file is made new, readable by its owner only; one already there is not touched.
public struct WAVFileWriter: ~Copyable {
    /// The format in which the samples are written.
    package let format: AudioFormat
    /// Bytes of samples written so far.
    package private(set) var dataBytes = 0

    private var file: SampleFile
    private let headerBytes: Int

    /// The path of the file.
    package var path: String { file.path }

    /// Makes the file, with no samples in it.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed` where it cannot be made, also because it is there already, and
    ///   `audioInvalidFormat`.
    public init(path: String, format: AudioFormat) throws(CoreError) {
        let header = try WAVHeader.bytes(of: format, dataBytes: 0)
        file = try SampleFile(path: path, header: header)
        self.format = format
        headerBytes = header.count
    }

    /// Appends whole frames.
    ///
    /// - Throws: ``CoreError`` with `audioTooLarge` at 4 GiB, `audioFileFailed` (the disk is full, the file was
    ///   closed), `audioMalformed` for a cut frame. The file then holds what was there before.
    public mutating func append(_ frames: [UInt8]) throws(CoreError) {
        try file.check(frames, of: format)
        let header = try WAVHeader.bytes(of: format, dataBytes: dataBytes + frames.count)
        try file.write(frames, at: headerBytes + dataBytes)
        try file.write(header, at: 0)
        dataBytes += frames.count
    }

    /// Adds the pad byte that an odd number of sample bytes needs, brings the file to the disk and closes it. A second
    /// call does nothing.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed`.
    public mutating func finish() throws(CoreError) {
        if !file.isFinished, dataBytes % 2 == 1 { try file.write([0], at: headerBytes + dataBytes) }
        try file.finish()
    }
}
