// Riff
// SPDX-License-Identifier: Apache-2.0

extension TurnRules {
    /// Spanish.
    static let spanish: TurnRules = {
        var rules = TurnRules()
        rules.answers = phrases(
            """
            sí, no, vale, claro, exacto, correcto, bien, muy bien, gracias, sigue, para, basta, listo, de acuerdo,
            por supuesto, ya, ahora no, todavía no, más tarde, sí gracias, no gracias, perfecto, nunca, quizás,
            mañana, hoy, nada, adelante, eso es
            """
        )
        rules.openers = words("y pero entonces pues bueno sí no vale ok okay eh ah oh este luego así")
        let determiners = words(
            """
            el la los las un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro este esta
            estos estas ese esa esos esas aquel aquella cada algún alguna algunos algunas ningún ninguna otro otra
            otros otras cualquier del al cuántos cuántas
            """
        )
        let prepositions = words(
            "a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras mediante"
        )
        let conjunctions = words(
            """
            y e o u pero sino porque que si cuando aunque mientras como pues ni donde dónde cómo cuándo qué quién
            por-qué cual cuyo quien cuanto
            """
        )
        rules.determiners = determiners
        // "Este", "esa" and "otra" stand for a noun as well, but at the end more often before one.
        rules.openEnds = determiners.union(prepositions).union(conjunctions).union(
            words(
                "eh em muy tan demasiado bastante casi solo sólo no lo me te se nos le les más-que tiene tengo quiero"
            )
        )
        rules.wholeEnds = phrases(
            """
            no lo sé, eso no, ahora no, todavía no, por qué, no sé qué, no sé cómo, dime cómo, dime cuándo,
            dime dónde, y tú, para qué, con quién, de quién, creo que sí, creo que no, claro que sí, claro que no,
            digo que no, que no, que sí, no quiero, ya no, es demasiado, prueba otra, usa otra, dame otro, dame otra,
            uno u otro
            """
        )
        rules.openPhrases = phrases(
            """
            eso es, y luego, y entonces, y después, gracias eso es, un poco más, tengo que, tienes que, tenemos que,
            hay que, ya lo he, no lo he, lo he, quién ha, antes de, después de, a causa de, en lugar de,
            bueno entonces, me da, eso me, cuanto antes lo, página ya no, ya hay un, la página ya no, el servidor no
            """
        )
        rules.auxiliaries = words(
            """
            es son soy eres era eran será está están estoy estaba he has ha han hemos había voy vas va vamos van puedo
            puedes puede pueden podrías podría debería deberíamos deberías debes debo debe tengo tienes tiene quiero
            quisiera hay
            """
        )
        rules.subjects = words("yo tú él ella usted nosotros ellos ellas")
        rules.connectors = conjunctions
        rules.describers = [
            "nuev", "últim", "primer", "segund", "próxim", "mejor", "gran", "pequeñ", "buen", "siguiente", "mism",
        ]
        rules.clauseOpeners = phrases(
            """
            si, cuando, porque, aunque, mientras, como, en cuanto, después de, antes de, para que, para, sin,
            hasta que, una vez que, ya que, apenas, puesto que, aunque sea
            """
        )
        rules.mainVerbs = words(
            """
            entonces puedes puedo podemos necesito necesitamos quiero lanza lánzala lánzalo dime avísame avisa
            muéstrame para sigue abre borra cierra manda mándame haz hazlo pon ponlo prueba usa no me hay tenemos
            debes deberías llama llámame
            """
        ).subtracting(words("para no prueba"))
        rules.special = special
        rules.hasMainClause = hasMainClause
        return rules
    }()

    private static let ordinals = words(
        "primera primero segunda segundo tercera tercero última último siguiente otra otro mía mío"
    )

    /// Words that stand for a noun after an article, and clitics that belong to the verb before.
    @Sendable private static func special(_ words: [String]) -> Bool? {
        guard let last = words.last, words.count > 1 else { return nil }
        let before = words[words.count - 2]
        // "Toma la primera" is whole; "vuelve a la primera" waits for its noun.
        if ordinals.contains(last), ["la", "el"].contains(before) {
            return words.count < 3 || !["a", "de", "en", "con", "por", "para"].contains(words[words.count - 3])
        }
        if last == "para", words.count == 2 { return spanish.openers.contains(before) }
        return nil
    }

    /// A verb with its pronoun behind it: "lánzala", "avísame".
    @Sendable private static func hasMainClause(_ words: [String]) -> Bool {
        let accents = Set("áéíóú")
        return words.dropFirst(3).contains { word in
            word.contains { accents.contains($0) }
                && ["lo", "la", "me", "le", "los", "las", "nos"].contains { word.hasSuffix($0) }
        } || words.dropFirst(3).contains("no") && words.count > 5
    }
}
