// Riff
// SPDX-License-Identifier: Apache-2.0

/// Adjectives, numbers, and nouns that announce something.
extension EnglishTurnLexicon {
    /// Adjectives that do not end a sentence after an article.
    static let adjectives = words(
        """
        new old big small large main whole entire long short quick simple single certain particular specific current
        previous following original actual real proper bad great local remote global temporary separate similar empty
        full public private general important additional existing possible various broken failing missing unused huge
        tiny extra nice necessary internal external final initial second third fourth fifth first last next different
        other own red green blue yellow black white gray unit integration staging production default verbose relevant
        recent front back upper lower correct wrong exact better faster smaller bigger larger longer shorter newer older
        cleaner simpler higher darker lighter brighter wider narrower smarter stricter quieter louder warmer cooler
        strange common weird ugly beautiful expensive inexpensive cheap fancy clean dirty hot cold warm fresh young tall
        heavy strong weak rich poor safe dangerous difficult complex complicated tricky obvious subtle minor major rare
        typical normal regular usual special rough smooth deep wide narrow thick thin loud quiet sharp soft slow fast
        happy sad modern unique easier nicer stronger safer cheaper worse optional conditional functional national
        """
    )
    /// Comparatives that begin "the more ..., the better".
    static let comparatives = words(
        """
        more less fewer longer faster bigger sooner higher larger smaller older better worse slower easier harder
        cheaper
        """
    )
    /// Numbers as they are spoken, and what counts like them.
    static let numbers = words(
        """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million couple few
        """
    )
    /// Nouns behind which a number or a name comes, where nothing before them says which.
    static let announcing = words(
        """
        version port line step chapter issue number column position page phase section row ticket channel option
        """
    )
    /// What is counted before it is listed: "there are two options".
    static let announced = words("things reasons options steps problems issues questions points ways possibilities")
    /// The words that precede a quotation.
    static let quoting = words("saying named titled entitled labelled labeled says reads called stating")
    /// What is quoted.
    static let quotedNouns = words(
        """
        message title subject text name words comment caption prompt heading label header body following
        """
    )
    /// Names of signs, behind which something is still to be spelt.
    static let signs = words(
        """
        slash dash underscore colon equals dot comma tilde asterisk hyphen semicolon ampersand minus backslash
        """
    )
}
