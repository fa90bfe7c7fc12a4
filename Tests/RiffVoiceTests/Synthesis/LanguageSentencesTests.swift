// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

/// Abbreviations and dates of a language end no sentence; what does end one still does.
struct LanguageSentencesTests {
    static func pieces(_ text: String, _ language: String) -> [String] {
        SentenceTextToSpeech.Sentences(shortest: 1, language: language).pieces(of: text)
    }

    @Test(arguments: [
        ("de", "Ich habe am 3. Juni Geburtstag."), ("de", "Jonas ist Fan vom 1. FC Köln, und du?"),
        ("de", "Das ist nun der 17. Versuch."), ("de", "Friedrich II. war der Sohn von Heinrich."),
        ("de", "Das kostet z. B. Geld."), ("de", "Das kostet z.B. Geld."), ("de", "Es waren 5 Mio. Euro."),
        ("de", "Siehe Nr. Fünf, d.h. Seite zwei."), ("fr", "Mme Dupont et M. Durand sont là."),
        ("fr", "Il y a env. Dix fichiers."), ("es", "La Sra. Pérez y el Sr. Gómez."),
        ("es", "Vive en EE. UU. desde ayer."),
    ])
    func `a point within a sentence ends none`(language: String, sentence: String) {
        #expect(Self.pieces(sentence, language) == [sentence])
    }

    @Test(arguments: [
        ("de", "Es ist fertig. Die Tests laufen."), ("de", "Das war im Jahr 2024. Danach kam nichts."),
        ("fr", "C'est fini. Les tests passent."), ("es", "Ya está. Las pruebas pasan."),
        ("en", "It was version 3. Then came another."),
    ])
    func `two sentences are two pieces`(language: String, text: String) {
        #expect(Self.pieces(text, language).count == 2)
    }
}
