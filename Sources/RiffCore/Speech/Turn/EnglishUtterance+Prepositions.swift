// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// A preposition lacks what it is of, unless that was said before or it is a verb's particle.
    func byPreposition() -> Bool? {
        guard Lexicon.prepositions.contains(last) || Lexicon.particles.contains(last), last != "to" else { return nil }
        guard let previous else { return Lexicon.particles.contains(last) }
        if previous == "back", ["in", "on", "out", "up", "off", "down"].contains(last) { return true }
        if last == "behind" {
            return [
                "hour", "minutes", "days", "is", "are", "left", "fall", "fell", "falls", "lag", "lags", "i'm", "we're",
                "from", "day", "hours", "minute", "week", "weeks", "get", "running",
            ].contains(previous)
        }
        if let isParticle = asParticle(behind: previous) { return isParticle }
        switch last {
        case "of":
            let verbs: Set = [
                "think", "thinking", "thought", "made", "consist", "consists", "heard", "aware", "proud", "afraid",
                "care", "rid", "full", "capable", "dreamed", "speaking", "sure", "part",
            ]
            return verbs.contains(previous) && (hasStranding || previous == "heard")
        case "between", "among", "amongst", "during", "per", "via", "despite", "except", "than", "against", "onto",
            "upon", "toward", "towards":
            return hasRelative && isVerbLike(previous)
        case "like": return asLike
        case "before", "after":
            return [
                "day", "one", "as", "like", "never", "ever", "week", "was", "were", "did", "had", "right", "just",
                "not", "year", "looked", "than", "soon",
            ].contains(previous)
                || hasPredicate && !Lexicon.coordinators.contains(previous) && words.contains("before")
                    && last == "before" && words.count > 4 && (previous == "that" || previous.hasSuffix("ed"))
        case "by", "for", "from", "with", "at", "in", "on", "about", "into", "without", "under", "behind", "over",
            "through":
            break
        case "inside", "outside", "above", "below", "along", "around", "across", "past", "near":
            return hasStranding
                || ["from", "the", "mentioned", "see", "shown", "described", "one", "as", "look"].contains(previous)
        default: break
        }
        guard hasStranding else { return false }
        // "What is the name of": the noun before it wants more.
        if isNoun(previous), !isVerbLike(previous), !(hasRelative && relativeIndex.map { words.count - $0 < 6 } == true)
        {
            if isBeQuestion, ["about", "from"].contains(last), words.count > 3 { return true }
            return whIndex == 0 && words.count > 4 && !isBeQuestion
                || hasInfinitiveRelative && ["about", "with", "on", "in", "for"].contains(last) && words.count > 4
        }
        if Lexicon.determiners.contains(previous) { return false }
        return true
    }

    /// "What is the difference", where a preposition belongs to the noun.
    private var isBeQuestion: Bool {
        guard let index = whIndex else { return false }
        return words.count > index + 1 && (Lexicon.be.contains(words[index + 1]) || words[index].hasSuffix("'s"))
            && words.contains { $0 == "the" }
    }

    func isVerbLike(_ word: String) -> Bool {
        Lexicon.cognition.contains(word) || Lexicon.transitive.contains(word) || Lexicon.predicates.contains(word)
            || Lexicon.allAuxiliaries.contains(word)
            || word.hasSuffix("ing") || word.hasSuffix("ed") || Lexicon.imperatives.contains(word)
            || Lexicon.phrasal.contains(word)
            || [
                "worry", "talk", "wait", "listen", "care", "point", "rely", "depend", "complain", "argue", "deal",
                "agree", "connect", "belong", "refer", "me", "you", "it", "them", "him", "her", "us", "from", "coming",
                "up", "out", "good", "responsible", "bad", "stuck", "happy", "interested", "live", "sleep", "lot",
                "much", "there", "here", "off", "in", "on", "with", "sit", "that", "this",
            ].contains(word)
    }

    private var asLike: Bool {
        if hasWh,
            words.contains(where: {
                ["look", "looks", "be", "is", "feel", "sound", "sounds", "looked", "was", "it", "feels"].contains($0)
            })
        {
            return true
        }
        return ends("if you like") || ends("as you like")
            || hasRelative && ["would", "you", "i'd", "you'd"].contains(previous)
            || ends("like") && ["you", "i"].contains(previous) && hasWh
            || ["don't", "didn't"].contains(previous) && hasStranding
    }

    /// "Turn it off", "log me in", "what's going on".
    private func asParticle(behind previous: String) -> Bool? {
        guard Lexicon.particles.contains(last), last != "across" else { return nil }
        let isHard = ["in", "on", "by", "over", "through", "around", "along"].contains(last)
        let objects: Set = [
            "it", "that", "this", "them", "me", "us", "him", "her", "one", "ones", "everything", "things", "all",
            "those", "these", "something", "anything", "both",
        ]
        let verbIndex = words.dropLast().lastIndex { Lexicon.phrasal.contains($0) }
        if Lexicon.phrasal.contains(previous) {
            if previous == "end" { return false }
            let stays: [String: Set<String>] = [
                "in": [
                    "log", "logged", "logging", "sign", "signed", "signing", "check", "checked", "checking", "come",
                    "comes", "coming", "came", "go", "get", "plug", "zoom", "opt", "join", "move", "tune", "drop",
                    "break", "step", "kick", "fade", "stay", "locked",
                ],
                "on": [
                    "go", "going", "goes", "went", "come", "carry", "move", "moved", "moving", "hold", "hang", "keep",
                    "log", "sign", "read", "walk", "pass", "stay", "start",
                ],
                "over": ["start", "started", "take", "move", "come", "fall", "fell", "go", "boil"],
                "through": [
                    "go", "goes", "get", "gets", "went", "come", "came", "follow", "fall", "gone", "pass", "put",
                ],
                "around": ["look", "turn", "go", "goes", "come", "move", "hang"],
                "along": ["come", "move", "go", "sing", "play", "tag", "follow"],
                "by": ["go", "stand", "pass", "come", "drop", "get", "gone"],
            ]
            if isHard { return stays[last]?.contains(previous) == true || hasStranding }
            // "Turn off", "set up" want an object; as an answer of two words they have it.
            if Lexicon.transitivePhrasal.contains(previous), !hasStranding, !(previous == "give" && last == "up") {
                return words.count == 2 ? true : nounBefore(words.count - 2)
            }
            return true
        }
        if objects.contains(previous), verbIndex != nil {
            return isHard
                ? last != "by" && last != "through" && last != "along" && last != "over" || hasStranding
                    || ["over", "through"].contains(last) && words.count > 3
                        && verbIndex.map {
                            [
                                "read", "put", "take", "start", "hand", "get", "let", "push", "run", "move", "pass",
                                "think",
                            ].contains(words[$0])
                        } == true
                : true
        }
        // "Turn the lights off".
        if let verbIndex, verbIndex < words.count - 2, isNoun(previous) {
            if !isHard { return true }
            let far: [String: Set<String>] = [
                "on": ["turn", "switch", "leave", "keep", "put", "turned"],
                "in": ["log", "sign", "let", "check", "plug", "logged", "signed"], "over": ["hand", "start", "take"],
                "through": ["let", "put", "get"], "around": ["turn", "move"],
            ]
            return far[last]?.contains(words[verbIndex]) == true ? true : nil
        }
        if ["up", "down", "back", "away", "off", "out", "together", "apart", "aside", "ahead", "forward"].contains(last)
        {
            return Lexicon.determiners.contains(previous) ? false : !(Lexicon.coordinators.contains(previous))
        }
        if ["in", "on", "by", "over", "through"].contains(last), Lexicon.allAuxiliaries.contains(previous),
            last == "on" || last == "in" || last == "over"
        {
            return hasStranding || words.count <= 4 && words.count > 2 && Lexicon.be.contains(previous)
        }
        if last == "on", ["later", "further", "early", "is", "that's", "what's"].contains(previous) { return true }
        return nil
    }

    /// Whether the subject of a phrasal verb stands before it, so that it has no object: "the servers shut down".
    private func nounBefore(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        let before = words[index - 1]
        return isNoun(before) || ["it", "that", "they", "things", "didn't", "doesn't"].contains(before)
    }
}
