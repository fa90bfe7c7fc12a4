// Riff
// SPDX-License-Identifier: Apache-2.0

extension SoundMarks {
    /// Words of which one makes a mark, in the languages in which subtitles have most of them.
    static let sounds = words(
        """
        audio silence silent quiet music musical singing sings song applause applauding clapping claps cheering cheers
        laughter laughing laughs laugh chuckles chuckling giggles giggling noise noises static hiss hissing sigh sighs
        sighing cough coughs coughing sneeze sneezes sneezing sniffs sniffles breathing breathes breath exhales inhales
        gasps gasping groans groaning grunts yawns yawning inaudible unintelligible indistinct crosstalk chatter
        chattering murmuring mumbling mumbles whispering whispers screaming screams shouting crying sobbing typing
        keyboard clicking clicks click clack clacking tapping beep beeping beeps buzz buzzing ringing rings chime chimes
        footsteps wind thunder rain engine humming hums hum whistling whistles whirring sound sounds speech nospeech
        unk sil bleep rustling rustles snoring snores barking barks meowing chirping
        pause playback foreign slams creaks creaking knocking knocks
        musik musique música musica muziek музыка musika applaus applaudissements aplausos applausi аплодисменты
        gelächter rires risas risate смех stille stilte silencio silêncio silenzio тишина geräusch geräusche bruit
        ruido ruído rumore шум lachen hustet husten
        音楽 拍手 笑 笑い 笑い声 無音 沈黙 音乐 音樂 掌声 掌聲 笑声 笑聲 静音 無聲 无声 음악 박수 웃음 침묵
        """
    )

    /// Words that go with them, and tell of nothing by themselves.
    static let details = words(
        """
        a an the of in on and no not any to with from blank empty background foreground distant faint soft softly
        loud loudly upbeat dramatic gentle calm sad tense ominous eerie electronic classical piano guitar playing plays
        continues stops starts ends fades faintly quietly heavy heavily deep deeply long short low high mouse door dog
        cat bird birds phone car audience crowd people person man woman
        opens closes speaking speaks language video detected
        recorded only
        """
    )

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}

extension Transcript {
    /// The spoken part of the transcript, without the marks that a recognizer writes for other sounds.
    package var spoken: Transcript { Transcript(text: SoundMarks.removed(from: text), language: language) }
}
