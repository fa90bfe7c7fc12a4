// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Which one of the things that a person shares is taken: a film where there is one, else a picture. Texts and links
/// are refused, since they can be pasted.
///
/// Things are described by the types that they come in, as uniform type identifiers (`public.jpeg`) or media types
/// (`image/jpeg`), the best one first. A front end whose system knows more types than are listed here gives the general
/// ones, `public.movie` and `public.image`, for what conforms to them.
public enum SharedMediaSelector {
    /// What is taken.
    public struct Choice: Sendable, Hashable {
        /// Which of the things.
        public let index: Int
        /// The type to ask it for.
        public let type: String
        /// Whether it is a film.
        package let isMovie: Bool
    }

    /// Chooses the attachment to share.
    ///
    /// - Parameter attachments: The types of each thing.
    /// - Returns: The first film; without one, the first picture.
    /// - Throws: ``CoreError`` with `nothingToShare` where there is neither.
    public static func choose(from attachments: [[String]]) throws(CoreError) -> Choice {
        for isMovie in [true, false] {
            for (index, types) in attachments.enumerated() {
                guard let type = types.first(where: { Self.isMovie($0) == isMovie }) else { continue }
                return Choice(index: index, type: type, isMovie: isMovie)
            }
        }
        throw CoreError(.nothingToShare, "There is no picture and no video in this. Texts and links can be pasted.")
    }

    /// Whether a type is one of films, one of pictures, or (`nil`) of neither.
    private static func isMovie(_ type: String) -> Bool? {
        let type = type.lowercased()
        if movies.contains(type) || type.hasPrefix(bytes: "video/") { return true }
        // A drawing in text form: no format that is passed on.
        if type.hasPrefix(bytes: "image/svg") { return nil }
        return images.contains(type) || type.hasPrefix(bytes: "image/") ? false : nil
    }

    private static let movies: Set<String> = [
        "public.movie", "public.video", "public.mpeg-4", "com.apple.quicktime-movie", "com.apple.m4v-video",
        "com.apple.protected-mpeg-4-video", "public.3gpp", "public.3gpp2",
    ]
    private static let images: Set<String> = [
        "public.image", "public.png", "public.jpeg", "public.heic", "public.heif", "public.tiff", "com.compuserve.gif",
        "com.microsoft.bmp", "org.webmproject.webp", "public.webp", "com.apple.live-photo",
    ]
}

extension CoreErrorCode {
    /// The shared attachments hold neither a picture nor a film.
    public static let nothingToShare = CoreError.Code(rawValue: "nothingToShare")
}
