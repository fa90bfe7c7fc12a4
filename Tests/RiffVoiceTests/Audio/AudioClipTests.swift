// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

@Suite struct AudioClipTests {
    @Test(arguments: [
        ("RIFFxxxxWAVE", AudioClip.Encoding.wav), ("fLaCxxxx", .flac), ("ID3\u{3}xxx", .mp3),
        ("xxxxftypM4A ", .m4a), ("<html>", nil), ("", nil), ("ID", nil),
    ])
    func `a file's first bytes tell what it is`(_ text: String, _ encoding: AudioClip.Encoding?) {
        #expect(AudioClip(file: Array(text.utf8))?.encoding == encoding)
    }
}
