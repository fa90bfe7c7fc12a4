// Riff
// SPDX-License-Identifier: Apache-2.0

extension TurnRules {
    /// French.
    static let french: TurnRules = {
        var rules = TurnRules()
        rules.answers = phrases(
            """
            oui, non, si, exactement, d'accord, ok, okay, merci, bien, très bien, parfait, continue, arrête, stop,
            vas-y, ça va, c'est bon, c'est ça, bien sûr, pas encore, plus tard, oui merci, non merci, voilà, jamais,
            peut-être, demain
            """
        )
        rules.openers = words("et mais alors donc bon ben oui non ok okay euh ah oh bah puis d'accord")
        let determiners = words(
            """
            le la les l un une des du de d mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet
            cette ces chaque quelques plusieurs quel quelle quels quelles aucun aucune au aux
            """
        )
        let prepositions = words(
            """
            à de dans sur sous avec sans pour par chez vers entre depuis pendant contre malgré parmi jusqu'à avant
            après selon jusque dès hors sauf
            """
        )
        let conjunctions = words(
            """
            et ou mais donc car que qu qu'il qu'elle qu'on qu'ils quand si s'il s'ils comme parce puisque lorsque
            lorsqu'il quoique puis soit ni qui dont où pourquoi comment est-ce qu'est-ce
            """
        )
        rules.determiners = determiners
        rules.openEnds = determiners.union(prepositions).union(conjunctions).union(
            words(
                """
                euh ne n'a n'est très trop si plus-que je j'ai tu il on ils c'est qu'un qu'une d'un d'une m'a t'a l'a
                s'est m'est t'est seulement vraiment presque toujours-pas me te se m t s quelque
                """
            )
        )
        rules.wholeEnds = phrases(
            """
            ce que tu veux, tu viens avec, je suis pour, je suis contre, comme avant, jamais avant, et après,
            juste après, juste avant, trop, c'est trop, dis-moi où, je sais pourquoi, je sais comment, dis comment,
            explique pourquoi, c'est où, il est où, et toi, avec moi, ça dépend de qui, la veille, à qui, avec qui,
            pour qui, c'est qui, on peut faire comme, et pourquoi
            """
        ).subtracting(phrases("on peut faire comme, trop"))
        rules.openPhrases = phrases(
            """
            j'ai déjà, et ensuite, et après ça, on a déjà, tu as déjà, il y a, il y a déjà, a déjà un, merci c'est,
            je crois que, un peu de, un peu la, bon alors, parce que, afin de, avant de, au lieu de, à cause de,
            près de, la première et, c'est pas, ce n'est pas le, ça me, ça te, ça lui, ça nous, elle me, il me, tu me,
            tu peux me, peux-tu me, bon ben, est-ce que la base, est-ce que le
            """
        ).subtracting(phrases("est-ce que la base"))
        rules.auxiliaries = words(
            """
            est sont suis es sommes êtes était étaient sera serait a ai as ont avons avez avait aura va vais vas vont
            allons peux peut peuvent pourrait pourrais dois doit doivent devrait devrais veux veut veulent voudrais
            voudrait faut peux-tu pourrais-tu pouvez-vous dois-je veux-tu as-tu fait-il
            """
        )
        rules.subjects = words("elle elles nous vous")
        rules.connectors = conjunctions
        rules.describers = [
            "nouveau", "nouvel", "grand", "petit", "bon", "meilleur", "premi", "prochain", "ancien", "vrai", "seul",
            "même", "autre",
        ]
        rules.clauseOpeners = phrases(
            """
            si, s'il, quand, lorsque, dès que, parce que, comme, puisque, pendant que, avant de, avant que, après que,
            après avoir, pour que, pour, sans, tant que, même si, une fois que, au cas où, bien que, dès
            """
        )
        rules.mainVerbs = words(
            """
            alors je j'ai tu on il nous vous relance lance dis-moi préviens-moi préviens montre-moi arrête envoie
            ouvre supprime relance-le lance-le fais mets prends continue essaie ça faut-il peux-tu avertis-moi dis
            vérifie
            """
        )
        rules.special = special
        rules.hasMainClause = hasMainClause
        return rules
    }()

    private static let transitives = words(
        """
        ouvrir ajouter envoyer mettre prendre utiliser créer remplacer afficher renommer prends mets ajoute envoie
        remplace renomme ouvre-moi donne-moi montre-moi prenez mettez
        """
    )
    private static let questions = words("que qu'est-ce quoi comment où quand qui lequel laquelle quel quelle")

    /// A verb without its object, and words that stand alone after a preposition.
    @Sendable private static func special(_ words: [String]) -> Bool? {
        guard let last = words.last else { return nil }
        let before = words.count > 1 ? words[words.count - 2] : nil
        // "Avec nous", "pour elle".
        if ["nous", "vous", "elle", "elles", "lui", "eux", "moi", "toi"].contains(last), let before,
            french.openEnds.contains(before), !french.connectors.contains(before)
        {
            return true
        }
        if transitives.contains(last), !words.contains(where: questions.contains) {
            if let before, ["le", "la", "les", "l", "en", "y"].contains(before) { return true }
            return false
        }
        // "S'il vous plaît" is no condition.
        if words.count > 3, words.suffix(3) == ["s'il", "te", "plaît"] || words.suffix(3) == ["s'il", "vous", "plaît"] {
            return french.isWhole(UtteranceWords(words.dropLast(3).joined(separator: " ")))
        }
        return nil
    }

    /// Two subjects, each with its verb.
    @Sendable private static func hasMainClause(_ words: [String]) -> Bool {
        let rest = words.dropFirst(3)
        return rest.contains {
            $0.hasPrefix("j'") || $0.hasSuffix("-moi") || $0.hasSuffix("-le") || $0.hasSuffix("-la")
        }
    }
}
