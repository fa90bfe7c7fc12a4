// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// "Turn it off", "log me in", "what's going on": a particle, which belongs to a verb and ends a sentence.
    func isWholeAtParticle(behind previous: String) -> Bool? {
        guard Lexicon.particles.contains(last), last != "across" else { return nil }
        // "Put it back in".
        if previous == "back", ["in", "on", "out", "up", "off", "down"].contains(last) { return true }
        // "We ended up", without where.
        if last == "up", ["end", "ends", "ended", "ending"].contains(previous) { return hasStranding }
        // Particles that are prepositions as often.
        let isDoubtful = ["in", "on", "by", "over", "through", "around", "along"].contains(last)
        if Lexicon.phrasal.contains(previous) { return isWholeBehindVerb(previous, isDoubtful: isDoubtful) }
        if let index = words.dropLast().lastIndex(where: Lexicon.phrasal.contains) {
            let verb = words[index]
            if Self.objects.contains(previous) { return isWholeBehindObject(of: verb) }
            // "Turn the lights off", "let the cat in".
            if index < words.count - 2, Lexicon.isNoun(previous) {
                return !isDoubtful || Self.farVerbs[last]?.contains(verb) == true ? true : nil
            }
        }
        if !isDoubtful { return !Lexicon.determiners.contains(previous) && !Lexicon.coordinators.contains(previous) }
        if ["in", "on", "over"].contains(last), Lexicon.allAuxiliaries.contains(previous) {
            // "The heating is on".
            return hasStranding || 3...4 ~= words.count && Lexicon.be.contains(previous)
        }
        return last == "on" && ["later", "further", "early", "that's", "what's"].contains(previous) ? true : nil
    }

    /// "Keep going on"; "turn off" wants an object, which an answer of two words has.
    private func isWholeBehindVerb(_ verb: String, isDoubtful: Bool) -> Bool {
        if isDoubtful { return hasStranding || Self.nearVerbs[last]?.contains(verb) == true }
        let isGivingUp = verb == "give" && last == "up"
        guard Lexicon.transitivePhrasal.contains(verb), !hasStranding, !isGivingUp else { return true }
        return words.count == 2 || hasSubject(before: words.count - 2)
    }

    /// "Log me in", "think it over"; not "walk me through", "pass it along".
    private func isWholeBehindObject(of verb: String) -> Bool {
        switch last {
        case "by", "along": hasStranding
        case "over", "through": hasStranding || words.count > 3 && Self.movers.contains(verb)
        default: true
        }
    }

    /// Returns whether the subject of a phrasal verb precedes it, so that it has no object: "the servers shut down".
    private func hasSubject(before index: Int) -> Bool {
        let before = words[index - 1]
        return Lexicon.isNoun(before) || ["it", "that", "they", "things", "didn't", "doesn't"].contains(before)
    }

    private static let objects = Lexicon.words(
        """
        it that this them me us him her one ones everything things all those these something anything both
        """
    )
    private static let movers = Lexicon.words("read put take start hand get let push run move pass think")
    /// Verbs right behind which a doubtful particle ends a sentence: "log in", "carry on".
    private static let nearVerbs = [
        "in": Lexicon.words(
            """
            log logged logging sign signed signing check checked checking come comes coming came go get plug zoom opt
            join move tune drop break step kick fade stay locked
            """
        ),
        "on": Lexicon.words(
            """
            go going goes went come carry move moved moving hold hang keep log sign read walk pass stay start
            """
        ),
        "over": Lexicon.words("start started take move come fall fell go boil"),
        "through": Lexicon.words("go goes get gets went come came follow fall gone pass put"),
        "around": Lexicon.words("look turn go goes come move hang"),
        "along": Lexicon.words("come move go sing play tag follow"),
        "by": Lexicon.words("go stand pass come drop get gone"),
    ]
    /// Those that do so behind their object: "turn the lights on".
    private static let farVerbs = [
        "on": Lexicon.words("turn switch leave keep put turned"),
        "in": Lexicon.words("log sign let check plug logged signed"),
        "over": Lexicon.words("hand start take"),
        "through": Lexicon.words("let put get"),
        "around": Lexicon.words("turn move"),
    ]
}
