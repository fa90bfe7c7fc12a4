// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffShare
import RiffTesting
import Testing

struct MediaFormatTests {
    /// The first bytes of files as programs write them.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let head: [UInt8]
        let format: MediaFormat?
        var testDescription: String { name }

        init(_ name: String, _ head: [UInt8], _ format: MediaFormat?) {
            self.name = name
            self.head = head
            self.format = format
        }

        /// An ISO base media file: its first box with these brands, and the start of the next one.
        static func box(_ major: String, _ others: String..., is format: MediaFormat?) -> Sample {
            let brands = Array(major.utf8) + [0, 0, 2, 0] + others.flatMap { Array($0.utf8) }
            let head =
                [0, 0, 0, UInt8(8 + brands.count)] + Array("ftyp".utf8) + brands + [0, 0, 0, 8] + Array("free".utf8)
            return Sample("ftyp \(major) \(others)", head, format)
        }
    }

    static let pngHead: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    static let samples = [
        Sample("PNG", pngHead, .png),
        Sample("JPEG with JFIF", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8), .jpeg),
        Sample("JPEG with Exif", [0xFF, 0xD8, 0xFF, 0xE1, 0x12, 0x34] + Array("Exif".utf8), .jpeg),
        Sample("GIF of 1987", Array("GIF87a".utf8) + [1, 0, 1, 0], .gif),
        Sample("GIF of 1989", Array("GIF89a".utf8) + [1, 0, 1, 0], .gif),
        Sample("WebP", Array("RIFF".utf8) + [0x24, 0, 0, 0] + Array("WEBPVP8 ".utf8), .webp),
        Sample("TIFF, little end first", Array("II*\0".utf8) + [8, 0, 0, 0], .tiff),
        Sample("TIFF, big end first", Array("MM\0*".utf8) + [0, 0, 0, 8], .tiff),
        Sample("BMP", Array("BM".utf8) + [0x3A, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0], .bmp),
        .box("heic", "mif1", "heic", is: .heic), .box("heix", "mif1", is: .heic), .box("mif1", "heic", is: .heic),
        .box("hevc", "msf1", is: .heic), .box("qt  ", is: .mov), .box("isom", "iso2", "avc1", "mp41", is: .mp4),
        .box("mp42", "isom", is: .mp4), .box("M4V ", "mp42", is: .mp4), .box("3gp5", "isom", is: .mp4),
        Sample(
            "QuickTime without brands",
            [0, 0, 0, 8] + Array("wide".utf8) + [0, 0, 1, 0] + Array("mdat".utf8),
            .mov
        ),
    ]
    static let strangers = [
        Sample("nothing", [], nil), Sample("text", Array("BM is not always a bitmap, is it".utf8), nil),
        Sample("a URL", Array("https://example.org/picture.png".utf8), nil),
        Sample("WAV", Array("RIFF".utf8) + [0x24, 0, 0, 0] + Array("WAVEfmt ".utf8), nil),
        Sample("PDF", Array("%PDF-1.7 and the rest".utf8), nil),
        Sample("SVG", Array("<svg xmlns=\"x\">....".utf8), nil),
        Sample("PNG with its line ends changed", [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], nil),
        .box("M4A ", "mp42", "isom", is: nil), .box("avif", "mif1", "miaf", is: nil), .box("mif1", "avif", is: nil),
        .box("crx ", "isom", is: nil), Sample("a box that is too short", [0, 0, 0, 8] + Array("ftypisom".utf8), nil),
    ]

    @Test(arguments: samples + strangers)
    func `the first bytes tell the format`(sample: Sample) {
        #expect(MediaFormat.sniff(sample.head) == sample.format)
        #expect(MediaFormat.sniff(sample.head + [UInt8](repeating: 0xAA, count: 1000)) == sample.format)
    }

    @Test(arguments: samples + strangers)
    func `a truncated file is of its own format or of none`(sample: Sample) {
        for count in 0..<sample.head.count {
            let found = MediaFormat.sniff(Array(sample.head.prefix(count)))
            #expect(found == nil || found == sample.format, "after \(count) bytes")
        }
        #expect(MediaFormat.sniff(Array(sample.head.prefix(2))) == nil)
    }

    @Test func `no bytes at all make it stumble`() {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            // Half of them are nearly a box.
            if bytes.count > 8, Bool.random(using: &generator) {
                bytes.replaceSubrange(4..<8, with: Array("ftyp".utf8))
            }
            if let format = MediaFormat.sniff(bytes) { #expect(MediaFormat.known.contains(format)) }
        }
    }

    @Test(arguments: [
        ("jpg", "image/jpeg"), ("JPG", "image/jpeg"), ("jpeg", "image/jpeg"), ("png", "image/png"),
        ("heic", "image/heic"),
        ("mov", "video/quicktime"), ("mp4", "video/mp4"), ("m4v", "video/mp4"), ("gif", "image/gif"),
        ("webp", "image/webp"),
        ("tif", "image/tiff"), ("bmp", "image/bmp"), ("txt", "application/octet-stream"),
        ("", "application/octet-stream"),
    ])
    func `an extension has its content type`(fileExtension: String, type: String) {
        #expect(MediaFormat.contentType(forExtension: fileExtension) == type)
    }

    @Test(arguments: MediaFormat.known)
    func `every format has an extension that leads back to it`(format: MediaFormat) {
        #expect(MediaFormat(fileExtension: format.fileExtension) == format)
        #expect(format.contentType.hasPrefix(format.isMovie ? "video/" : "image/"))
        #expect(MediaFormat(rawValue: "jxl").contentType == "application/octet-stream")
    }

    @Test(
        arguments: [
            (0, .png, nil), (200 * 1_048_576, .mov, nil),
            (200 * 1_048_576 + 1, .mov, "Video too large (201 MB > 200 MB)"),
            (345 * 1_048_576, .mp4, "Video too large (345 MB > 200 MB)"),
            (.max / 2, .png, "Image too large (4398046511104 MB > 200 MB)"),
        ] as [(Int64, MediaFormat, String?)]
    )
    func `what is above the cap is refused with both sizes`(sizeBytes: Int64, format: MediaFormat, message: String?) {
        let refusal: CoreError?
        do throws(CoreError) {
            try SharedMediaInbox.UploadCap().check(sizeBytes, format)
            refusal = nil
        } catch {
            refusal = error
        }
        #expect(refusal?.message == message)
        #expect(refusal?.code == (message == nil ? nil : .mediaTooLarge))
        #expect(SharedMediaInbox.UploadCap().isExceeded(by: sizeBytes) == (message != nil))
    }
}
