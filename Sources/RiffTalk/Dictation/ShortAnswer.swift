// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Tells texts that a menu or a question would take for its answer: a number, a letter, a yes or a no.
enum ShortAnswer {
    /// The most words of an answer: "option number two".
    private static let mostWords = 3

    private static let words: Set<String> = Set(
        """
        yes yeah yep yup y no nope nah n ok okay sure always never cancel quit exit q continue proceed retry skip all
        none done enter return option number choice choose pick press select please first second third fourth fifth
        last one two three four five six seven eight nine ten eleven twelve zero ja jawohl jep nein nee doch immer nie
        abbrechen weiter nummer eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf null erste zweite
        dritte letzte bitte oui ouais non si toujours jamais annuler continuer numéro un une deux trois quatre cinq
        sept huit neuf dix onze douze zéro premier première deuxième troisième dernier dernière sí no claro siempre
        nunca cancelar continuar número uno dos tres cuatro cinco seis siete ocho nueve diez once doce cero primero
        primera segundo segunda tercero tercera último última vale opción
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// Whether a text could be such an answer.
    static func mayBe(_ text: String) -> Bool {
        // A long text is none, however it is counted.
        guard text.utf8.count <= 96 else { return false }
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }
        guard !words.isEmpty, words.count <= mostWords else { return false }
        return words.allSatisfy { word in
            word.count == 1 || (word.count <= 3 && word.allSatisfy(\.isNumber)) || Self.words.contains(String(word))
        }
    }
}
