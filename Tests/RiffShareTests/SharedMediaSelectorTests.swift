// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffShare
import Testing

struct SharedMediaSelectorTests {
    @Test(
        arguments: [
            ([["public.jpeg"]], 0, "public.jpeg", false),
            ([["public.heic", "public.jpeg"]], 0, "public.heic", false),
            ([["public.image"], ["public.movie"]], 1, "public.movie", true),
            (
                [["public.png"], ["com.apple.quicktime-movie", "public.movie"], ["public.mpeg-4"]], 1,
                "com.apple.quicktime-movie", true
            ),
            ([["public.url"], ["public.plain-text"], ["public.tiff"]], 2, "public.tiff", false),
            ([["public.url", "public.jpeg"]], 0, "public.jpeg", false),
            ([["public.jpeg", "public.movie"]], 0, "public.movie", true),
            ([["image/webp"]], 0, "image/webp", false), ([["IMAGE/PNG"], ["video/mp4"]], 1, "video/mp4", true),
            ([[], ["public.image"]], 1, "public.image", false),
        ] as [([[String]], Int, String, Bool)]
    )
    func `a film goes before a picture`(attachments: [[String]], index: Int, type: String, isMovie: Bool) throws {
        let choice = try SharedMediaSelector.choose(from: attachments)
        #expect(choice.index == index)
        #expect(choice.type == type)
        #expect(choice.isMovie == isMovie)
    }

    @Test(
        arguments: [
            [], [[]], [["public.plain-text"]], [["public.url"]], [["public.url"], ["public.utf8-plain-text"]],
            [["public.audio"]], [["com.adobe.pdf"]], [["image/svg+xml"]], [["text/html"]], [["public.file-url"]],
        ] as [[[String]]]
    )
    func `texts, links and everything else are refused`(attachments: [[String]]) {
        let error = #expect(throws: CoreError.self) { try SharedMediaSelector.choose(from: attachments) }
        #expect(error?.code == .nothingToShare)
    }
}
