// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice
import Testing

@Suite struct SoundMarksTests {
    @Test(arguments: [
        "[BLANK_AUDIO]", " [BLANK_AUDIO] ", "[blank_audio]", "[BLANK AUDIO]", "[BLANK_AUDIO].",
        "[BLANK_AUDIO][BLANK_AUDIO]",
        "[BLANK_AUDIO] [BLANK_AUDIO]\n[BLANK_AUDIO]", "(silence)", "*Loud music*", "[silence]", "[ Silence ]",
        "(Silence.)",
        "*silence*",
        "[MUSIC]", "[Music]", "[MUSIC PLAYING]", "(upbeat music)", "(soft piano music playing)", "♪", "♪♪", "♪ ♪ ♪",
        "🎵",
        "♪ (music) ♪", "[APPLAUSE]", "(laughs)", "[LAUGHTER]", "(keyboard clicking)", "[NOISE]", "<noise>", "[SOUND]",
        "(speaking in foreign language)", "[foreign]", "[INAUDIBLE]", "[no audio]", "[pause]", "<|nospeech|>", "<unk>",
        "<|endoftext|>", "[_BEG_]", "[_TT_150]", "[_BEG_] [BLANK_AUDIO] [_TT_50]", "（音楽）", "[音乐]", "【拍手】", "[Musik]",
        "(risas)", "[музыка]", "[음악]", "[]", "( )", "...", ".", "…", "-", "* * *", "", " ", "Thanks for watching!",
        "Thank you for watching.", "ご視聴ありがとうございました", "시청해주셔서 감사합니다!",
    ])
    func `a mark alone is nothing said`(text: String) {
        #expect(SoundMarks.removed(from: text).isEmpty)
        #expect(Transcript(text: text, language: "en").spoken == Transcript(text: "", language: "en"))
    }

    @Test(arguments: [
        "add [music] to the list", "the marker [BLANK_AUDIO] is in the file", "(silence) means that nobody speaks",
        "rename it (and the music folder)", "[x] done", "(yes)", "[your name here]", "(see the music folder)",
        "[MUSIC] play it",
        "run the tests (quietly)", "music", "Silence.", "applause", "*important*", "<html>", "?", "!", "/", "$", "yes",
        "Thank you.", "thanks for watching the logs", "open amara.org", "f(x)", "a [b] (c)", "👍", "{silence: true}",
        "I said (laughs) and then", "1.", "(1)", "[0]", "これは[音楽]です", "the [MUSIC", "MUSIC] the", "  as it was  ",
    ])
    func `a person's words stay as they are, brackets and all`(text: String) {
        #expect(SoundMarks.removed(from: text) == text)
    }

    @Test(arguments: [
        ("[BLANK_AUDIO] Run the tests.", "Run the tests."), ("Run the tests. [BLANK_AUDIO]", "Run the tests."),
        ("[BLANK_AUDIO] run it [BLANK_AUDIO] [BLANK_AUDIO]", "run it"), ("♪ Run it ♪", "Run it"),
        ("[_BEG_] Hello.[_TT_50]", "Hello."), ("<|startoftranscript|><|en|> Hello.<|endoftext|>", "Hello."),
    ])
    func `among words only a machine's own signs are taken, at the ends`(text: String, words: String) {
        #expect(SoundMarks.removed(from: text) == words)
    }
}
