// Riff
// SPDX-License-Identifier: Apache-2.0

/// The marks that recognizers write for sounds that are no words: `[BLANK_AUDIO]`, `(silence)`, `[MUSIC PLAYING]`, `♪`.
///
/// Whisper and what is built on it (whisper.cpp, faster-whisper, the services of OpenAI's kind) learned them from
/// subtitles and write them in brackets of any kind; ElevenLabs writes sounds in round ones, where it is asked to;
/// Moonshine writes words alone. Nobody says a bracket, and yet a transcript that was corrected or formatted may have
/// some of a person's own: marks are taken out where there is nothing else, and every word in them is known to be of a
/// sound. Among other words only what no person could have meant is, at either end: a blank's own mark, a model's
/// tokens, notes of music.
package enum SoundMarks {
    /// The text without them; empty where nothing was said.
    package static func removed(from text: String) -> String {
        let rest = withoutTokens(text[...])
        // Whisper writes points for a silence, too; a question mark may be meant.
        if rest.allSatisfy({ $0.isWhitespace || silence.contains($0) }) { return "" }
        return isNothingButMarks(rest) || isCredit(rest) ? "" : String(rest)
    }

    // MARK: At the ends

    /// Without a machine's own signs at either end; as it was where there are none.
    private static func withoutTokens(_ text: Substring) -> Substring {
        var rest = text
        while true {
            let bare = rest.drop { $0.isWhitespace || notes.contains($0) }
            if let close = closing(of: bare), isToken(bare[...close]) {
                rest = bare[close...].dropFirst()
            } else if rest[..<bare.startIndex].contains(where: notes.contains) {
                rest = bare
            } else {
                break
            }
        }
        while true {
            var bare = rest
            while let last = bare.last, last.isWhitespace || notes.contains(last) { bare.removeLast() }
            if let open = opening(of: bare), isToken(bare[open...]) {
                rest = bare[..<open]
            } else if rest[bare.endIndex...].contains(where: notes.contains) {
                rest = bare
            } else {
                break
            }
        }
        guard rest.startIndex != text.startIndex || rest.endIndex != text.endIndex else { return text }
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return rest
    }

    private static let silence = Set(".…,;:-–—·*()[]{}<>\"'。、・")
    private static let notes: Set<Character> = ["♪", "♫", "♬", "♩", "🎵", "🎶"]

    /// `[BLANK_AUDIO]`, `[_BEG_]`, `[_TT_50]`, `<|nospeech|>`: what is in them no recognizer writes for words.
    private static func isToken(_ group: Substring) -> Bool {
        let inside = group.dropFirst().dropLast()
        if group.first == "<" { return inside.first == "|" && inside.last == "|" }
        guard group.first == "[" else { return false }
        if inside.hasPrefix("_") { return inside.dropFirst().allSatisfy { $0.isASCII && !$0.isWhitespace } }
        return ["BLANK_AUDIO", "BLANK AUDIO", "NO_SPEECH", "NO SPEECH"].contains(inside.uppercased())
    }

    // MARK: Nothing else

    private static let pairs: [Character: Character] = [
        "[": "]", "(": ")", "{": "}", "<": ">", "*": "*", "（": "）", "【": "】", "［": "］", "「": "」", "＊": "＊",
    ]
    private static let closers: [Character: Character] = Dictionary(
        uniqueKeysWithValues: pairs.map { ($0.value, $0.key) }
    )

    /// The longest mark, in characters.
    private static let longest = 60

    private static func closing(of text: Substring) -> Substring.Index? {
        guard let open = text.first, let close = pairs[open] else { return nil }
        return text.dropFirst().prefix(longest).firstIndex(of: close)
    }

    private static func opening(of text: Substring) -> Substring.Index? {
        guard let close = text.last, let open = closers[close] else { return nil }
        return text.dropLast().suffix(longest).lastIndex(of: open)
    }

    private static func isNothingButMarks(_ text: Substring) -> Bool {
        var (rest, hasMark) = (text, false)
        while true {
            rest = rest.drop { !$0.isLetter && !$0.isNumber && pairs[$0] == nil }
            guard let close = closing(of: rest) else { return hasMark && rest.isEmpty }
            guard isSound(rest[..<close].dropFirst()) || isToken(rest[...close]) else { return false }
            rest = rest[close...].dropFirst()
            hasMark = true
        }
    }

    /// The end of a film, which Whisper hears in silence; it is not said to an agent.
    private static let credits: Set<String> = [
        "thanks for watching", "thank you for watching", "thank you so much for watching",
        "subtitles by the amara org community", "untertitel der amara org community",
        "sous titres réalisés para la communauté d amara org", "subtítulos realizados por la comunidad de amara org",
        "ご視聴ありがとうございました", "시청해주셔서 감사합니다", "字幕由amara org社区提供",
    ]

    private static func isCredit(_ text: Substring) -> Bool {
        guard text.utf8.count < 100 else { return false }
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return credits.contains(words.joined(separator: " "))
    }

    /// Whether all words between two brackets tell of a sound, or of none.
    private static func isSound(_ inside: Substring) -> Bool {
        let words = inside.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.allSatisfy({ sounds.contains($0) || details.contains($0) }) else { return false }
        return words.isEmpty || words.contains(where: sounds.contains)
    }
}
