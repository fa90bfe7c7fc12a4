// Riff
// SPDX-License-Identifier: Apache-2.0

/// The classes that a word may belong to, by the lists and by its form.
extension EnglishTurnLexicon {
    /// Whether it may be a noun: it is in none of the lists of other words.
    static func isNoun(_ word: String) -> Bool {
        !(otherThanNouns.contains(word) || word.hasSuffix("ly") || word.hasSuffix("n't") || isParticiple(word))
    }

    /// Whether it is a present participle, by its form.
    static func isParticiple(_ word: String) -> Bool {
        word.hasSuffix("ing") && word.count > 4 && !nounsInING.contains(word)
    }

    /// Whether a clause may have it for its verb, and it is hardly ever anything else.
    static func isFinite(_ word: String) -> Bool { finiteVerbs.contains(word) }

    /// Whether it may be the verb of a clause that a conjunction begins.
    static func isClauseVerb(_ word: String) -> Bool {
        clauseVerbForms.contains(word) || word.hasSuffix("ed") || isParticiple(word)
    }

    /// Whether a preposition behind it may be its own.
    static func isVerbLike(_ word: String) -> Bool {
        verbLikeForms.contains(word) || word.hasSuffix("ing") || word.hasSuffix("ed")
    }

    private static let finiteVerbs = allAuxiliaries.union(predicates).union(contractions)
    private static let clauseVerbForms = cognition.union(transitive).union(imperatives).union(clauseVerbs)
    private static let verbLikeForms = [cognition, transitive, predicates, allAuxiliaries, imperatives, phrasal]
        .reduce(
            into: words(
                """
                worry talk wait listen care point rely depend complain argue deal agree connect belong refer me you it
                them him her us from coming up out good responsible bad stuck happy interested live sleep lot much there
                here off in on with sit that this
                """
            )
        ) { $0.formUnion($1) }

    private static let otherThanNouns = [
        allAuxiliaries, prepositions, particles, coordinators, subordinators, determiners, whWords, subjects, leading,
        fillers, transitive, cognition, predicates, openers,
    ].reduce(
        into: words(
            """
            fix try do change undo revert check keep leave stop love hate me him her us them these those not all same
            like just only too run start open close merge push pull commit deploy restart rebuild build ignore skip done
            did does see understand forget prefer mean tell ask let think don't better more less than as if instead
            again there here yet still said help explain describe review handle
            """
        )
    ) { $0.formUnion($1) }
}
