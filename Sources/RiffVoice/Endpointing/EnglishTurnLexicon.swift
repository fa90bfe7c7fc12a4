// Riff
// SPDX-License-Identifier: Apache-2.0

/// English words by what may stand behind them. Each list is made once.
enum EnglishTurnLexicon {
    /// The words of a list, which white space separates.
    static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The phrases of a list, which commas separate.
    static func phrases(_ list: String) -> Set<String> {
        Set(list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    }

    /// Words before what a turn is about: "okay so ...".
    static let openers = words(
        """
        and so but ok okay well now then also oh hey hi alright right um uh er erm hmm please yes yeah no just
        """
    )
    /// Sounds that hold the turn.
    static let fillers = words("um uh er erm hmm hm mm uhm ah eh")

    // MARK: What begins a noun phrase

    /// Articles, possessives and quantifiers that are nothing by themselves.
    static let determiners = words("the a an my your our their its every whose")
    /// Words that begin a noun phrase; some stand for one as well: "this", "some".
    static let nounMarkers = determiners.union(words("this that some any no another"))
    /// Words before a noun that a relative clause may tell of: "the one thing we need".
    static let describedMarkers = words(
        """
        the a an this that those these my your our any every some all another no one only first last
        """
    )
    static let demonstratives = words("this that these those")
    /// Nouns and pronouns that a clause is often added to: "everything you need".
    static let nounHeads = words(
        """
        one ones thing things everything something anything nothing all someone somebody anyone everyone person people
        way place what who which where whom whoever whatever that those reason time
        """
    )
    /// Nouns that look like a verb's present participle.
    static let nounsInING = words(
        """
        evening morning thing something nothing everything anything string building meeting setting warning heading
        listing rating spring king ring ceiling wedding training greeting parking spelling pricing ping housing mapping
        binding
        """
    )
    /// Adverbs that grade the word behind them; more of them end in -ly.
    static let degrees = words("very pretty quite fairly rather")
    /// Words of no other list that want one behind them.
    static let leading = words(
        """
        very quite extremely fairly super incredibly slightly almost nearly barely hardly highly rather merely basically
        literally specifically especially particularly namely mainly despite gonna wanna gotta hafta just even simply
        approximately roughly supposed able unable willing planning trying likely unlikely tends i'll you'll we'll
        they'll he'll she'll it'll i'd he'd she'd they'd we'd i've we've they've you've you're they're we're i'm there's
        he's she's let let's
        """
    )

    // MARK: Pronouns

    static let personalSubjects = words("i we you they he she it")
    static let subjects = personalSubjects.union(words("there this that"))
    /// The subjects of short clauses behind a noun: "the file i'm looking at".
    static let relativeSubjects = personalSubjects.union(words("i'm we're you're they're i've we've you've i'd"))
    /// Subjects with their verb.
    static let contractions = words(
        """
        i'm i'll i've i'd you're you'll you've you'd we're we'll we've we'd they're they'll they've they'd it's it'll
        he's he'll she's she'll that's there's here's what's who's where's how's let's that'll there'll
        """
    )
    /// Question words, with or without their verb.
    static let whWords = words(
        """
        what who whom which where whose how when why what's who's where's how's whatever whichever wherever
        """
    )
    /// Pronouns that begin a clause about the noun before them.
    static let relativePronouns = words("that which who whose where")
    /// The indefinite pronouns and nouns for persons.
    static let indefinitePersons = words("everybody everyone anybody anyone people somebody someone users nobody")

    // MARK: Links

    /// The words that join two of a kind.
    static let coordinators = words("and or nor but plus versus vs")
    /// The words that begin a clause within another.
    static let subordinators = words(
        """
        because cause if when while whenever wherever unless until till whereas whether than as although since lest
        whoever whichever cuz
        """
    )
    /// Small adverbs of direction, which belong to a verb.
    static let particles = words(
        """
        in on off up down out over back through around away along ahead forward together apart aside by across
        """
    )
    /// The words that a noun follows.
    static let prepositions = words(
        """
        of at from for with to into onto between among amongst during without within against per via towards toward upon
        except regarding concerning unlike besides like about under behind beside near throughout underneath including
        in on by over through inside outside above below across around along after before past beyond
        """
    )
}
