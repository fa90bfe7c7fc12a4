// Riff
// SPDX-License-Identifier: Apache-2.0

extension TurnRules {
    /// German: the verb's second half, or the verb itself, comes last, so that much is owed until then.
    static let german: TurnRules = {
        var rules = TurnRules()
        rules.answers = phrases(
            """
            ja, nein, doch, genau, richtig, stimmt, gut, okay, ok, klar, danke, weiter, stopp, halt, fertig,
            vielleicht, nie, heute, morgen, alles klar, ja bitte, nein danke, mach weiter, mach das, passt so,
            schon gut, gute idee, auf keinen fall
            """
        )
        rules.openers = words("und aber also ja nein okay ok gut so dann na ach oh äh ähm hm nun bitte")
        let determiners = words(
            """
            der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen
            meinem meiner dein deine deinen deinem deiner sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer
            unser unsere unseren unserem unserer euer eure euren dieser diese diesen diesem jeder jede jeden jedem
            jedes welche welcher welchen welches manche
            """
        )
        let prepositions = words(
            """
            auf an in im am beim vom zum zur ins ans aufs für mit ohne gegen bei von nach aus zu seit bis durch um
            über unter vor hinter neben zwischen wegen während trotz statt innerhalb außerhalb
            """
        )
        let conjunctions = words(
            """
            und oder aber sondern denn dass ob weil wenn falls als wie sobald nachdem bevor obwohl damit solange sowie
            entweder weder sowohl je was wer wo warum wann wohin woher wozu indem
            """
        )
        let fillers = words("äh ähm hm öh sozusagen quasi nämlich")
        rules.determiners = determiners.union(words("etwas viel mehr sehr"))
        // "Das", "die" and "den" end whole sentences as well; the rules below know when.
        rules.openEnds = determiners.subtracting(words("das ihr sein eines keine keiner keinen jeder jedes welche"))
            .union(prepositions).union(conjunctions).union(fillers)
            .union(words("sehr etwas ziemlich nur noch schon gern zu so fast bereits besonders als")).subtracting(
                words("gern")
            )
        rules.wholeEnds = phrases(
            """
            mach das, ich das, du das, ihr das, wir das, brauche das, will das, mag das, nimm das, lass das, geht das,
            ist das, war das, sein das, tut das, weiß wie, sag wann, was ist das, was soll das, immer noch, nicht so,
            ist es so, so ist das, mal so, lass es so, machen wir das, machst du das, stimmt schon, das schon,
            geht schon, noch was, nur so, wer war das, geschrieben hat, wie immer, nach und nach, ab und zu,
            hin und her, nach wie vor, ich kann das, kannst du das
            """
        )
        rules.openPhrases = phrases(
            """
            wer hat das, hast du das, hat keine, habe keine, haben keine, gibt keine, und dann, und zwar,
            habe ich das, für das, auf das, in das, ohne das, um das, an das, und das, oder das, aber das,
            das ist mir, ich weiß nicht ob, ist das der, das ist, kannst du mir, können sie mir, gib mir, sag mir,
            fällt nichts, das ist nicht, kommt zu, das ist ganz, und ich, und du, dass ich, dass du, dass er,
            dass wir, ob er
            """
        )
        rules.auxiliaries = words(
            """
            ist sind bin bist war waren wird werden habe hast hat haben hatte hatten kann kannst können könnte
            könntest soll sollen sollte sollten muss müssen musst will willst wollen darf dürfen möchte möchtest würde
            würdest hätte wäre wurde lass
            """
        )
        rules.subjects = words("ich du er wir ihr man")
        rules.connectors = conjunctions.union(words("der die das den dem denen dessen"))
        rules.describers = [
            "neu", "alt", "groß", "klein", "gut", "best", "erst", "zweit", "dritt", "letzt", "nächst", "ander", "ganz",
            "einfach",
            "lang", "kurz", "offen", "richtig", "falsch", "rot", "grün", "eigen", "gleich", "weiter", "früher",
        ]
        rules.clauseOpeners = words(
            """
            wenn falls weil sobald nachdem bevor obwohl während solange damit da ob dass seit seitdem als um ohne je
            indem
            """
        )
        rules.mainVerbs = words(
            """
            dann so desto umso starte start sag mach zeig schick öffne lösch prüf warte ruf nimm gib leg schreib stell
            such frag bau lass führ lies melde gefällt sollte müssen muss bitte hätte wäre würde reicht gib geh
            probier brech brich fang
            """
        )
        rules.special = special
        rules.hasMainClause = hasMainClause
        return rules
    }()

    /// The second halves of verbs, most of which are prepositions elsewhere.
    private static let particles = words(
        """
        an auf aus ein mit zu ab vor nach um durch los weg zurück her hin fest statt bei hoch runter rein raus weiter
        hinzu bescheid
        """
    )
    /// Beginnings of verbs that have such a half, each with the halves that it takes.
    private static let separable: [(stem: String, halves: Set<String>)] = [
        ("mach", words("an auf aus zu weg mit nach vor")), ("schalt", words("an ab aus ein um")),
        ("stell", words("an ab aus ein um vor")),
        ("leg", words("an ab auf los vor hin")), ("ruf", words("an auf ab zurück")),
        ("hör", words("auf an zu hin mit")),
        ("fang", words("an auf")), ("geh", words("aus auf ab weg los mit vor weiter durch zurück")),
        ("komm", words("an mit vor her zurück")),
        ("führ", words("aus durch ein auf weiter")), ("füg", words("ein an hinzu")),
        ("gib", words("auf aus ab an ein zurück")),
        ("gebe", words("auf aus ab an ein")), ("pass", words("auf an")), ("lad", words("auf hoch runter ein")),
        ("läuft", words("ab an aus mit")),
        ("lauf", words("ab an aus mit")), ("tritt", words("auf ein ab bei")), ("tret", words("auf ein")),
        ("setz", words("um ein fort ab")),
        ("nimm", words("an auf ab mit zu weg raus")), ("nehm", words("an auf ab mit zu")),
        ("schließ", words("ab an auf")),
        ("zieh", words("an aus um ab vor")), ("räum", words("auf ab um")), ("schau", words("an nach zu hin rein")),
        ("sieh", words("an nach aus ein")),
        ("sieht", words("an aus ein")), ("probier", words("aus an")), ("trag", words("ein aus nach")),
        ("brich", words("ab auf")),
        ("brech", words("ab auf")), ("bau", words("ab auf ein um aus")), ("wähl", words("aus an ab")),
        ("meld", words("an ab")),
        ("log", words("ein aus")), ("spiel", words("ab auf ein")), ("fällt", words("aus ein auf weg")),
        ("hält", words("an ab")),
        ("halt", words("an ab fest")), ("tausch", words("aus um")), ("richt", words("ein aus")),
        ("lös", words("aus auf ab")),
        ("check", words("aus ein")), ("fährt", words("ab an hoch runter")), ("fahr", words("ab an hoch runter fort")),
        ("warte", words("ab")),
        ("bereit", words("vor")), ("denk", words("nach")), ("frag", words("nach an")), ("les", words("vor ein")),
        ("lies", words("vor ein")),
        ("schreib", words("auf ab um")), ("wird", words("an")), ("bring", words("mit bei")),
        ("hol", words("ab nach auf")),
    ]
    private static let modals = words(
        """
        kann kannst können könnte könntest könnten soll sollst sollen sollte sollten muss musst müssen müsste darf
        darfst dürfen würde würdest würden
        """
    )
    private static let pronouns = words("ich du er es wir ihr sie man das")

    /// What a separated verb and a modal verb wait for.
    @Sendable private static func special(_ words: [String]) -> Bool? {
        guard let last = words.last else { return nil }
        if particles.contains(last), words.count > 1 {
            let front = words.dropLast()
            for word in front {
                for (stem, halves) in separable where word.hasPrefix(stem) && halves.contains(last) {
                    // "Mach weiter mit": the preposition after the half is not the half.
                    return !(front.last.map { particles.contains($0) || openers($0) } ?? false)
                }
            }
            return words.count > 1 && prepositional.contains(last) ? false : nil
        }
        if ["den", "dem", "die", "der"].contains(last) { return false }
        // A modal verb's own verb stands at the end of the clause.
        guard let place = words.prefix(3).firstIndex(where: modals.contains), place < words.count - 1 else {
            return nil
        }
        if last == "nicht" || last == "mehr" || last == "weiter" { return true }
        if isInfinitive(last) { return nil }
        // "Kann ich das": short, and whole.
        return words.count - place <= 2 && pronouns.contains(last) ? nil : (wholeObjects.contains(last) ? nil : false)
    }

    private static func openers(_ word: String) -> Bool { word == "und" || word == "oder" }
    private static let prepositional = words("an auf aus mit zu vor nach um durch bei ein ab")
    private static let wholeObjects = words("tun sein helfen weg los raus rein hin auch jetzt morgen heute später")
    private static let plurals = words(
        """
        den dateien daten tabellen zeilen seiten fragen namen ordnen seinen meinen einen keinen ihren diesen jeden
        allen fenstern ordner fehler server aufgaben warnungen änderungen spalten stellen mir das morgen gestern eben
        neben zwischen gegen wegen fenster farben tasten listen meldungen zahlen knoten karten themen
        """
    )

    private static func isInfinitive(_ word: String) -> Bool {
        guard word.utf8.count > 3, !plurals.contains(word) else { return word == "tun" }
        return word.hasSuffix("en") || word.hasSuffix("ern") || word.hasSuffix("eln")
    }

    /// A verb before its subject, after the first clause: "... kannst du", "... brauche ich".
    @Sendable private static func hasMainClause(_ words: [String]) -> Bool {
        guard words.count > 4 else { return false }
        return words.indices.dropFirst(3).contains { place in
            pronouns.contains(words[place]) && place > 3 && !german.connectors.contains(words[place - 1])
                && words[place - 1].utf8.count > 2 && !pronouns.contains(words[place - 1])
        }
    }
}
