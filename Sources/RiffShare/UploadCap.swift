// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SharedMediaInbox {
    /// The most bytes of one shared file: what is larger is refused before a byte of it is copied or sent.
    public struct UploadCap: Sendable, Hashable {
        /// The most bytes that are taken.
        public var bytes: Int64

        /// A cap; 200 MB (of 1,048,576 bytes) unless said otherwise, which is what a Riff server takes.
        public init(bytes: Int64 = 200 * 1_048_576) { self.bytes = bytes }

        /// Whether a file of this size is too large.
        package func isExceeded(by sizeBytes: Int64) -> Bool { sizeBytes > bytes }

        /// Refuses a file that is too large.
        ///
        /// - Parameters:
        ///   - sizeBytes: The file's size.
        ///   - format: What it is, for the words.
        /// - Throws: ``CoreError`` with `mediaTooLarge`, such as "Video too large (201 MB > 200 MB)".
        package func check(_ sizeBytes: Int64, _ format: MediaFormat) throws(CoreError) {
            guard isExceeded(by: sizeBytes) else { return }
            // The size rounded up and the cap down, so that one byte too many does not read as 200 MB > 200 MB.
            let (size, most) = (sizeBytes / 1_048_576 + (sizeBytes % 1_048_576 > 0 ? 1 : 0), bytes / 1_048_576)
            throw CoreError(.mediaTooLarge, "\(format.noun) too large (\(size) MB > \(most) MB)")
        }
    }
}

extension CoreErrorCode {
    /// The picture or film is larger than what is taken; nothing of it was copied or sent.
    public static let mediaTooLarge = CoreError.Code(rawValue: "mediaTooLarge")
}
