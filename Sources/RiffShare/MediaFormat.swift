// Riff
// SPDX-License-Identifier: Apache-2.0

/// A kind of picture or film, told by the first bytes of a file and never by its name.
///
/// The bytes of what is shared are passed on as they came; the format only gives them their right extension and content
/// type.
public struct MediaFormat: RawRepresentable, Sendable, Hashable {
    /// The usual extension, in lower case without the dot; it names the format.
    public let rawValue: String

    /// Any format, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Portable Network Graphics.
    package static let png = MediaFormat(rawValue: "png")
    /// The JPEG format.
    package static let jpeg = MediaFormat(rawValue: "jpg")
    /// GIF, moving or not.
    package static let gif = MediaFormat(rawValue: "gif")
    /// HEIF with HEVC pictures: what a phone's camera takes.
    package static let heic = MediaFormat(rawValue: "heic")
    /// The WebP format.
    package static let webp = MediaFormat(rawValue: "webp")
    /// TIFF, and the raw formats that are TIFF inside.
    package static let tiff = MediaFormat(rawValue: "tiff")
    /// Windows bitmap.
    package static let bmp = MediaFormat(rawValue: "bmp")
    /// QuickTime film.
    package static let mov = MediaFormat(rawValue: "mov")
    /// MPEG-4 film, 3GPP and DASH included.
    package static let mp4 = MediaFormat(rawValue: "mp4")

    /// Every format that ``sniff(_:)`` tells.
    package static let known: [MediaFormat] = [.png, .jpeg, .gif, .heic, .webp, .tiff, .bmp, .mov, .mp4]

    /// Creates the format that an extension means, whatever its case; `nil` for one that is not known.
    package init?(fileExtension: String) {
        let lower = fileExtension.lowercased()
        let aliases: [String: MediaFormat] = [
            "jpeg": .jpeg, "tif": .tiff, "heif": .heic, "qt": .mov, "m4v": .mp4, "3gp": .mp4,
        ]
        guard let format = aliases[lower] ?? Self.known.first(where: { $0.rawValue == lower }) else { return nil }
        self = format
    }

    /// The extension of a file of this format, without the dot.
    package var fileExtension: String { rawValue }

    /// Whether it is a film.
    package var isMovie: Bool { self == .mov || self == .mp4 }

    /// The noun for the format at the start of a sentence.
    package var noun: String { isMovie ? "Video" : "Image" }

    /// The media type to send it with; `application/octet-stream` for a format that is not known.
    public var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .mov: "video/quicktime"
        case .mp4: "video/mp4"
        case .png, .gif, .heic, .webp, .tiff, .bmp: "image/\(rawValue)"
        default: "application/octet-stream"
        }
    }

    /// The media type for a file's extension.
    package static func contentType(forExtension fileExtension: String) -> String {
        MediaFormat(fileExtension: fileExtension)?.contentType ?? "application/octet-stream"
    }
}
