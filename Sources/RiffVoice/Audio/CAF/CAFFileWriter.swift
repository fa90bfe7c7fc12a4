// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Writes a Core Audio file that is whole after every call, and whose samples may be more than 4 GiB: the samples are
/// written first and the size in the header after them, so that a process that dies leaves a file that plays up to the
/// last append.
///
/// A size of -1, for "to the end of the file", would need no rewriting, but libsndfile (1.2, thus sox) refuses it.
///
/// It writes to a local file and blocks for as long as that takes; use it off the cooperative pool where the file
/// system can be slow. The file is made new, readable by its owner only; one already there is not touched.
public struct CAFFileWriter: ~Copyable {
    /// The format in which the samples are written.
    package let format: AudioFormat
    /// Bytes of samples written so far.
    package private(set) var dataBytes = 0

    private var file: SampleFile

    /// The path of the file.
    package var path: String { file.path }

    /// Makes the file, with no samples in it.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed` where it cannot be made, also because it is there already, and
    ///   what ``CAFHeader/bytes(of:dataBytes:)`` throws.
    public init(path: String, format: AudioFormat) throws(CoreError) {
        file = try SampleFile(path: path, header: try CAFHeader.bytes(of: format, dataBytes: 0))
        self.format = format
    }

    /// Appends whole frames.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed` (the disk is full, the file was closed), `audioMalformed` for a
    ///   cut frame. The file then holds what was there before.
    public mutating func append(_ frames: [UInt8]) throws(CoreError) {
        try file.check(frames, of: format)
        try file.write(frames, at: CAFHeader.count + dataBytes)
        try file.write(CAFHeader.size(dataBytes + frames.count), at: CAFHeader.sizeOffset)
        dataBytes += frames.count
    }

    /// Brings the file to the disk and closes it. A second call does nothing.
    ///
    /// - Throws: ``CoreError`` with `audioFileFailed`.
    public mutating func finish() throws(CoreError) { try file.finish() }
}
