// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffShare
import Testing

struct ShareNoticeTests {
    private static func items(_ formats: [MediaFormat]) throws -> [SharedMediaItem] {
        try formats.map { format in
            let name = "1779400000-5F3A2B1C-0000-4000-8000-0123456789AB.\(format.fileExtension)"
            return SharedMediaItem(name: try #require(SharedMediaItem.Name(name)), sizeBytes: 1)
        }
    }

    @Test(
        arguments: [
            ([.png], "1 image waits for your session."), ([.mov], "1 video waits for your session."),
            ([.png, .jpeg, .heic], "3 images wait for your session."),
            ([.mp4, .png, .mov], "1 image and 2 videos wait for your session."),
        ] as [([MediaFormat], String)]
    )
    func `one banner says how much waits`(formats: [MediaFormat], body: String) throws {
        guard case .show(let notice) = ShareNotice.action(waiting: try Self.items(formats), .granted) else {
            Issue.record("nothing is shown")
            return
        }
        #expect(notice.body == body)
        #expect(notice.title == "Open in Riff")
        #expect(notice.id == ShareNotice.id)
    }

    @Test func `an empty inbox takes the banner away`() {
        #expect(ShareNotice.action(waiting: [], .granted) == .withdraw(ShareNotice.id))
    }

    @Test(arguments: [ShareNotice.Permission.denied, .undetermined], [0, 1, 3])
    func `without permission there is none`(permission: ShareNotice.Permission, count: Int) throws {
        let waiting = try Self.items([MediaFormat](repeating: .png, count: count))
        #expect(ShareNotice.action(waiting: waiting, permission) == .nothing)
    }
}
