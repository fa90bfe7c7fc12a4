// Riff
// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    /// The number of bytes from a file's start that are enough for ``sniff(_:)``; fewer do for most formats.
    package static let sniffedBytes = 256

    /// Tells a file's format by its first bytes, whatever it is named.
    ///
    /// - Parameter head: The first bytes of the file, ``sniffedBytes`` of them where there are so many.
    /// - Returns: The format; `nil` where the bytes are of none that is known, or too few to tell.
    package static func sniff(_ head: [UInt8]) -> MediaFormat? {
        let head = Array(head.prefix(sniffedBytes))
        let signatures: [([UInt8], MediaFormat)] = [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
            (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
            (Array("II*\0".utf8), .tiff), (Array("MM\0*".utf8), .tiff),
            // BigTIFF.
            (Array("II+\0".utf8), .tiff), (Array("MM\0+".utf8), .tiff),
        ]
        if let (_, format) = signatures.first(where: { head.starts(with: $0.0) }) { return format }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) { return .webp }
        if isBitmap(head) { return .bmp }
        return movieOrHEIF(head)
    }

    /// "BM" alone begins many a text: the reserved fields and the size of the second header (BITMAPCOREHEADER to
    /// BITMAPV5HEADER) must fit as well.
    private static func isBitmap(_ head: [UInt8]) -> Bool {
        guard head.count >= 18, head.starts(with: Array("BM".utf8)), head[6..<10].allSatisfy({ $0 == 0 }) else {
            return false
        }
        return [12, 40, 52, 56, 64, 108, 124].contains(head[14]) && head[15..<18].allSatisfy { $0 == 0 }
    }

    /// ISO base media files (ISO/IEC 14496-12) begin with a box that names its brands; QuickTime files from before it
    /// begin with one of their other boxes.
    private static func movieOrHEIF(_ head: [UInt8]) -> MediaFormat? {
        guard head.count >= 12 else { return nil }
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        switch text(head[4..<8]) {
        case "ftyp":
            // The major brand, then a version of four bytes, then the others.
            let end = min(size, head.count)
            guard size >= 16 else { return nil }
            let others = stride(from: 16, through: end - 4, by: 4).map { text(head[$0..<$0 + 4]) }
            return format(major: text(head[8..<12]), others: others)
        case "moov", "mdat", "wide", "pnot":
            return size == 1 || size >= 8 ? .mov : nil
        default:
            return nil
        }
    }

    private static func format(major: String, others: [String]) -> MediaFormat? {
        if major == "qt  " { return .mov }
        let heic: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
        if heic.contains(major) { return .heic }
        // The brands of any still picture, whatever its codec: AV1 pictures (avif) have them, too.
        if ["mif1", "msf1", "miaf"].contains(major) { return others.contains(where: heic.contains) ? .heic : nil }
        let movies: Set<String> = [
            "mp41", "mp42", "mp71", "avc1", "M4V ", "M4VH", "M4VP", "dash", "MSNV", "mmp4", "f4v ",
        ]
        // An audio file (M4A, M4B) and a camera's raw file (crx) name movie brands among the others, so that the first
        // decides.
        let isMovie = movies.contains(major) || ["iso", "3gp", "3g2"].contains { major.hasPrefix($0) }
        return isMovie ? .mp4 : nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
