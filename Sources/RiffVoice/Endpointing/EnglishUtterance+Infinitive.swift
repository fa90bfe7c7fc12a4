// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether an utterance that ends with `to` is whole: only if its verb, or its person, was said before.
    var isWholeAtInfinitive: Bool? {
        guard last == "to" else { return nil }
        return ends(in: Lexicon.wholeInfinitives) || isToldNotTo || hasGoal
    }

    /// "I told you not to".
    private var isToldNotTo: Bool {
        guard words.count > 3, previous == "not", let verb = fromEnd(2) else { return false }
        return Self.refusals.contains(verb)
    }

    private static let refusals = Lexicon.words(
        "told you asked better rather supposed try prefer me tried decided choose"
    )

    /// Whether `to` belongs to a verb whose goal precedes it: "who are you talking to", "the host i'm connected to".
    private var hasGoal: Bool {
        guard let previous, hasWh || hasRelative || hasInfinitiveRelative else { return false }
        switch previous {
        case "going", "get": return whIndex == 0 ? words.first == "where" : previous == "get" && hasRelative
        case "used", "it", "that", "them", "this": return whIndex == 0 || hasRelative
        default: return Self.directed.contains(previous)
        }
    }

    /// The words that "to" belongs to.
    private static let directed = Lexicon.words(
        """
        talk talking talked speak speaking listen listening belong belongs refer referring refers connect connected
        connecting lead leads related point points pointing write writes writing move moved go goes came up report
        reply replying switch switched subscribe send sent attach attached log access bind bound pushed deployed deploy
        push come apply applies applied amount agree respond contribute correspond upload uploaded copy copied limited
        restricted invited similar return react sell say said post save saved reset written given mapped addressed next
        close linked assigned set look looking forward reports resolve resolves redirect redirects
        """
    )
}
