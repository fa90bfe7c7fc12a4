// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of a language by which an utterance is judged, as word lists: what it ends in, and what is owed from
/// before. A value that is made once; each list is looked up by whole words.
struct TurnRules: Sendable {
    /// Answers that are whole as they are.
    var answers: Set<String> = []
    /// Words before what a turn is about.
    var openers: Set<String> = []
    /// Words after which more comes: articles, prepositions, conjunctions, sounds that hold the turn.
    var openEnds: Set<String> = []
    /// Ends that are whole although their last word is open by itself.
    var wholeEnds: Set<String> = []
    /// Ends that are open although their last word is not.
    var openPhrases: Set<String> = []
    /// Verbs that need something after them, at the end of a main clause.
    var auxiliaries: Set<String> = []
    /// Pronouns that are a clause's subject, which a verb follows where none came before.
    var subjects: Set<String> = []
    /// Words that stand before an object pronoun or a subject without its verb.
    var connectors: Set<String> = []
    /// Articles and their like: a word that describes and follows one of them waits for its noun.
    var determiners: Set<String> = []
    /// Beginnings of words that describe a noun, before it.
    var describers: [String] = []
    /// First words, or phrases, of a clause that is none by itself.
    var clauseOpeners: Set<String> = []
    /// Words that begin a main clause after another one.
    var mainVerbs: Set<String> = []
    /// What only this language has: `true` whole, `false` open, `nil` neither.
    var special: @Sendable ([String]) -> Bool? = { _ in nil }
    /// Tells a main clause after another one where no list does.
    var hasMainClause: @Sendable ([String]) -> Bool = { _ in false }

    /// The words of a list, which white space separates.
    static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The phrases of a list, which commas separate.
    static func phrases(_ list: String) -> Set<String> {
        Set(list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    }

    /// Judges an utterance.
    ///
    /// - Returns: Whether it is whole; `nil` where nothing was said.
    func isWhole(_ utterance: UtteranceWords) -> Bool? {
        guard let last = utterance.words.last else { return nil }
        if utterance.trailsOff { return false }
        let words = utterance.words
        if words.count <= 4, answers.contains(words.joined(separator: " ")) { return true }
        let core = Array(words.drop { openers.contains($0) })
        guard !core.isEmpty else { return false }
        if ends(core, in: openPhrases) { return false }
        if ends(core, in: wholeEnds) { return !isOpenClause(core) }
        if let verdict = special(core) { return verdict && !isOpenClause(core) }
        if openEnds.contains(last) || isOpenSubject(core) || isOpenDescription(core) { return false }
        // "Show me what that is": in a clause of its own the verb may come last.
        let isInClause = core.count > 3 && core.dropLast().contains { connectors.contains($0) }
        if auxiliaries.contains(last), !isInClause { return false }
        return !isOpenClause(core)
    }

    private func ends(_ words: [String], in phrases: Set<String>) -> Bool {
        (1...4).contains { words.count >= $0 && phrases.contains(words.suffix($0).joined(separator: " ")) }
    }

    private func isOpenSubject(_ words: [String]) -> Bool {
        guard let last = words.last, subjects.contains(last) else { return false }
        guard words.count > 1 else { return true }
        let before = words[words.count - 2]
        return connectors.contains(before) || openEnds.contains(before)
    }

    /// "A new": the noun is still to come.
    private func isOpenDescription(_ words: [String]) -> Bool {
        guard words.count > 1 else { return false }
        let last = words[words.count - 1]
        // "In every": an article after a preposition stands for no noun.
        if determiners.contains(last), openEnds.contains(words[words.count - 2]) { return true }
        guard determiners.contains(words[words.count - 2]) else { return false }
        return describers.contains { last.hasPrefix($0) && last.utf8.count <= $0.utf8.count + 3 }
    }

    /// A condition, a time or a reason without what it is for.
    private func isOpenClause(_ words: [String]) -> Bool {
        let begins = (1...3).contains {
            words.count >= $0 && clauseOpeners.contains(words.prefix($0).joined(separator: " "))
        }
        guard begins else { return false }
        return !words.dropFirst(2).contains { mainVerbs.contains($0) } && !hasMainClause(words)
    }
}
