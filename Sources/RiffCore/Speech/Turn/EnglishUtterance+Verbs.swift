// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// An auxiliary goes on, unless the rest was said before: "yes i do", "tell me what it is", "faster than it was".
    func byAuxiliary() -> Bool? {
        guard Lexicon.allAuxiliaries.contains(last) else { return nil }
        // "As a main verb": "what should i do", "the ones we have", "that's all i did".
        if ["do", "done", "did", "have", "had", "has", "been"].contains(last), hasStranding || whIndex == 0 {
            return last != "been" || hasWh
        }
        guard let previous else { return false }
        if [
            "already", "always", "never", "just", "certainly", "really", "usually", "probably", "definitely",
            "sometimes",
        ].contains(previous), let subject = utterance.fromEnd(2),
            ["i", "you", "he", "she", "it", "we", "they"].contains(subject), words.count < 6
        {
            return true
        }
        if last == "have",
            Lexicon.negatedAuxiliaries.contains(previous)
                || ["should", "would", "could", "must", "might"].contains(previous)
        {
            return Lexicon.negatedAuxiliaries.contains(previous) || words.contains("if") || words.contains("as")
        }
        if let said = utterance.fromEnd(2),
            ["said", "says", "thought", "hoped", "promised", "think", "hope", "knew", "know", "sure", "told"].contains(
                said
            ), ["she", "he", "they", "you", "it", "i", "we"].contains(previous), words.count > 3
        {
            return true
        }
        if last == "do" || last == "have" { if previous == "to" { return hasStranding } }
        if last == "do", ["just", "it'll", "that'll", "will"].contains(previous) { return true }
        if last == "been" { return hasWh || ["ever", "never"].contains(previous) }
        if last == "be" {
            return ["it", "may", "can", "should", "will", "could", "to"].contains(previous)
                && (hasWh || words.contains("than") || words.contains("as"))
        }
        let isPronoun = ["i", "you", "he", "she", "it", "we", "they", "that", "this", "there", "those", "these"]
            .contains(previous)
        guard isPronoun else {
            // "Where the file is", "who the owner was", not "where the fault is" at the beginning of a cleft sentence.
            guard let index = whIndex, index > 0 || ["where", "who"].contains(words[0]) else { return false }
            return index > 0 && words[index...].dropLast().allSatisfy { !isFinite($0) } && words.count - index > 2
        }
        let before = utterance.fromEnd(2)
        if before == "what", ["could", "should", "would", "can", "will", "must"].contains(last), words.count < 5,
            !["know", "see", "do"].contains(utterance.fromEnd(3))
        {
            return false
        }
        if before.map({
            [
                "than", "as", "what", "how", "who", "where", "whatever", "whichever", "like", "so", "neither",
                "wherever", "big", "old", "long", "way",
            ].contains($0)
        }) == true {
            return !(whIndex == 0 && words.count > 4)
        }
        if hasWh, let index = whIndex, index > 0 {
            return words[(index + 1)...].dropLast().allSatisfy { !isFinite($0) }
        }
        if words.count <= 3,
            before == nil
                || before.map({ ["yes", "no", "yeah", "sure", "think", "so", "but", "nope", "know"].contains($0) })
                    == true
        {
            return !["that", "this", "there", "these", "those"].contains(previous)
                || Lexicon.negatedAuxiliaries.contains(last)
        }
        if ["if", "when", "because", "course", "whenever"].contains(before) {
            return words.count > 4 || before == "course" || before == "because"
        }
        if Lexicon.negatedAuxiliaries.contains(last) {
            return before.map { ["but", "no", "it", "they", "because", "why", "if", "and"].contains($0) } == true
                && words.count > 2
        }
        return before.map { ["i'd", "as", "and"].contains($0) } == true && false
    }

    /// `to` goes on, unless a place or person for it, or the verb, was said before.
    func byInfinitive() -> Bool? {
        guard last == "to", let previous else { return last == "to" ? false : nil }
        if Self.elliptic.contains(where: ends) { return true }
        if previous == "not", let verb = utterance.fromEnd(2),
            [
                "told", "you", "asked", "better", "rather", "supposed", "try", "prefer", "me", "tried", "decided",
                "choose",
            ].contains(verb), words.count > 3
        {
            return true
        }
        let takesPerson: Set = [
            "talk", "talking", "talked", "speak", "speaking", "listen", "listening", "belong", "belongs", "refer",
            "referring", "refers",
            "connect", "connected", "connecting", "lead", "leads", "related", "point", "points", "pointing", "write",
            "writes", "writing", "move", "moved", "go", "goes", "came", "up",
            "report", "reply", "replying", "switch", "switched", "get", "subscribe", "send", "sent", "attach",
            "attached", "point", "log", "access", "bind", "bound", "used", "pushed", "deployed", "deploy", "push",
            "come",
            "apply", "applies", "applied", "amount", "agree", "respond", "contribute", "correspond", "upload",
            "uploaded", "copy", "copied", "limited", "restricted", "invited", "similar", "return", "react", "sell",
            "say", "said", "post", "save", "saved", "reset", "written", "given", "mapped", "addressed", "next", "close",
            "linked", "assigned", "set", "it", "that", "them", "this", "look", "looking", "forward", "going", "reports",
            "resolve", "resolves", "redirect", "redirects",
        ]
        if takesPerson.contains(previous), hasWh || hasRelative || hasInfinitiveRelative {
            guard ["going", "used", "it", "that", "them", "get", "this", "up"].contains(previous) else { return true }
            return whIndex == 0 || previous == "up"
                ? !["going", "get"].contains(previous) || words.first == "where" : hasRelative && previous != "going"
        }
        return false
    }

    private static let elliptic = [
        "if you want to", "if you need to", "if you have to", "if you'd like to", "if i have to", "don't have to",
        "i'd love to", "i'd like to think so",
        "would love to", "i'd be happy to", "don't want to", "didn't want to", "didn't mean to", "i was going to",
        "you were going to", "as it used to", "like it used to",
        "don't need to", "told you to", "asked you to", "told it to", "wants me to", "want me to", "doesn't have to",
        "where to", "who to",
        "not supposed to", "unless you have to", "when you want to", "whenever you want to", "no need to",
        "doesn't need to", "than it used to", "want you to",
        "asked me to", "like you to", "like me to", "you to", "allowed to", "how to", "would like to", "happy to",
        "glad to",
    ].filter {
        ![
            "you to", "how to", "want you to", "like you to", "would like to", "no need to", "want me to", "like me to",
            "asked me to", "allowed to", "wants me to",
        ].contains($0)
    }

    /// Verbs that lack their object.
    func byVerb() -> Bool? {
        guard Lexicon.transitive.contains(last) else { return nil }
        if let previous,
            Lexicon.determiners.contains(previous)
                || ["this", "that", "no", "any", "of", "new", "next", "last", "some", "data", "it's"].contains(previous)
        {
            // The noun: "the fix", "the use".
            if !["that"].contains(previous) { return nil }
        }
        if hasStranding { return true }
        if ends("if you like") || ends("as you like") || ends("take a look") || ends("how it looks")
            || ends("as it seems") || ends("it says") && hasWh
        {
            return true
        }
        if ["fix", "fixes", "find", "say", "says", "said", "finding"].contains(last), previous == "to" && last == "say"
        {
            return false
        }
        // "As you suggest", "like i said", "where it says".
        if ["as", "like", "than"].contains(utterance.fromEnd(2)) { return true }
        if [
            "said", "guess", "hope", "installs", "fix", "looks", "like", "likes", "install", "delete", "remove",
            "fixing",
        ].contains(last) {
            return ["installs"].contains(last)
        }
        return false
    }

    /// Cut numbers, versions and addresses.
    func byNumber() -> Bool? {
        guard let previous else { return Lexicon.signs.contains(last) || last == "backslash" ? false : nil }
        if let index = words.lastIndex(of: "is"), index > 0, words[index - 1] == "number",
            ["my", "phone", "card", "mobile", "his", "her", "their"].contains(words[max(0, index - 2)])
        {
            let digits = words[(index + 1)...]
            if digits.reduce(0, { $0 + ($1.first?.isNumber == true ? $1.count : 1) }) < 7, !digits.isEmpty,
                digits.allSatisfy({
                    Lexicon.numbers.contains($0) || ["oh", "double", "triple"].contains($0) || $0.allSatisfy(\.isNumber)
                })
            {
                return false
            }
        }
        if let index = words.lastIndex(where: { $0 == "plus" || $0 == "address" }), index < words.count - 1 {
            let digits = words[(index + 1)...].drop { $0 == "is" }
            let isDialled =
                words[index] == "address" || ["call", "dial", "text", "is"].contains(words[max(0, index - 1)])
            if isDialled, !digits.isEmpty, digits.count < 7,
                digits.allSatisfy({ Lexicon.numbers.contains($0) || $0 == "oh" || $0.allSatisfy(\.isNumber) })
            {
                return false
            }
        }
        let isNumber = Lexicon.numbers.contains(previous) || previous.last?.isNumber == true
        if last == "point" { return isNumber ? false : nil }
        if Lexicon.signs.contains(last) {
            return ["the", "a", "an", "that", "this", "every", "no", "one", "mad", "trailing", "leading"].contains(
                previous
            )
        }
        if last == "hash" || last == "star" || last == "plus" { return isNumber ? false : nil }
        if Lexicon.announcing.contains(last) {
            let verbs: Set = [
                "to", "on", "in", "at", "use", "open", "from", "issue", "go", "version", "until", "after", "line",
                "port", "upgrade", "install", "of", "ticket", "pull",
            ]
            return verbs.contains(previous) ? hasWh && last != "number" : nil
        }
        if last == "hundred" || last == "thousand" { return previous == "a" || isNumber ? nil : nil }
        return nil
    }
}
