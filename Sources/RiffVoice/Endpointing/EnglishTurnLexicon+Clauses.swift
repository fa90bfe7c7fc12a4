// Riff
// SPDX-License-Identifier: Apache-2.0

/// Words that tell where a clause begins and what it is.
extension EnglishTurnLexicon {
    /// The words that may be the subject of a main clause after a condition.
    static let clauseSubjects = personalSubjects.union(
        words("there this that nothing everything something someone nobody")
    )
    /// Words behind which "it" or "you" is the subject of a clause.
    static let clauseLeads = words(
        """
        that if when because and but so then or what where how why once while unless think until than whether since now
        hope
        """
    )
    /// Conjunctions of more than one word that begin a condition or a time.
    static let openingPhrases = [
        "as soon as", "as long as", "as far as", "in case", "even if", "even though", "given that", "provided that",
        "every time", "each time", "the moment", "the next time", "next time", "by the time", "now that",
    ].map { $0.split(separator: " ").map(String.init) }
    /// Those of one word.
    static let openingConjunctions = words(
        """
        if when whenever once unless until while wherever although though assuming before after suppose supposing
        whereas since till
        """
    )
    /// Those of them that are prepositions as well: "after lunch" answers something.
    static let openingPrepositions = words("before after until till since once")
    /// Verbs that are hardly ever nouns at the beginning of what is to happen then.
    static let clauseStarters = imperatives.subtracting(words("back do don't")).union(
        words(
            """
            then let let's don't just what why how who where can could would should will do does did is are may feel
            never always page shut fall reply release mark report lock disable enable increase mention return throw log
            refuse warn
            """
        )
    )
    /// Words behind which a verb belongs to the clause that has begun.
    static let clauseLinks = words(
        """
        to the a an i you we they he she and or that which who my your our of for in on with its their this not will can
        could would should must may might don't doesn't didn't won't can't new every no from by at next last first is
        are was were be been have has had do does did about into really just never also still already always it's i'm
        you're we're they're test unit pull git each another any some all two long ever main if what how whether where
        """
    )
    /// Words behind which a subject is that of a linked clause.
    static let subjectLinks = words(
        """
        that if and or what which who where how when because than whether as like so while but
        """
    )
    /// The words that begin the object of an order.
    static let objectStarts = words("the my it them me all every your our an a everything")
    /// Verbs of a subordinate clause that are nouns elsewhere.
    static let clauseVerbs = words("pass fail work finish end happen break crash exist matter succeed ready done")
    /// Verbs whose object follows, so that a noun behind them is no subject.
    static let objectVerbs = transitive.union(
        words(
            """
            see sees find finds run runs open opens close closes have has had is are was were merge fix push delete
            update deploy build write finish reach hit hits touch click clicks press change changes
            """
        )
    )
    /// Verbs that are nouns as often; behind a plural they are verbs.
    static let pluralPredicates = words(
        """
        work fail pass crash need want look go come run seem keep take make start stop break live belong say use have
        pay hate complain love like prefer expect ask get give eat sleep drink wait agree disagree buy sell send write
        read speak learn leave lose win grow hang freeze depend contain include remain become appear arrive behave bring
        carry choose consist cost create die differ disappear enjoy enter exceed fall fly follow forget hold hurt ignore
        lack lie listen mean meet miss move occur overlap produce provide refuse rely require respond sit stand stay
        suck think throw try turn understand vanish vote wear know see hear feel believe
        """
    )
    /// Participles that tell which one is meant: "the file mentioned above".
    static let modifyingParticiples = words(
        """
        used mentioned called named needed required generated created based related attached located listed described
        provided installed affected involved invited caused stored defined returned edited produced added opened
        selected marked labelled labeled included expected shared linked embedded hosted red bed seed feed speed
        """
    )
    /// Forms in -s that are hardly ever nouns, and stand for what a subject does.
    static let thirdPersons = words(
        """
        achieves admits agrees annoys applies argues arrives avoids behaves believes bothers brings buys carries chooses
        cleans climbs collects combines compares complains confuses considers consists continues decides declines
        defines delivers denies describes deserves destroys detects develops differs discovers discusses earns emits
        enables enjoys enters evaluates executes expands expects extends follows forgets hates hears identifies improves
        increases informs inherits inserts introduces invents involves isolates lasts learns lends locates loves
        maintains manages meets mentions obtains occupies occurs operates owes owns performs prefers prepares pretends
        prevents produces protects proves provides publishes puts reacts realizes recommends reduces refers reflects
        relates relies remains remembers reminds replaces represents resolves responds restores reveals rotates sees
        sells serves shines sings solves speaks succeeds suffers survives teaches tends terminates trusts understands
        validates vanishes verifies violates warns weighs wonders wraps iterates generates calculates allocates
        activates authenticates translates demonstrates hesitates chokes overheats
        """
    )
    /// Irregular past forms that are nothing else.
    static let pastForms = words(
        """
        ate bit blew crept quit slept swept wept chose drew drove flew forgave forgot hid rang rode sang sank saw shook shrank spoke stole swam swore
        threw tore woke wore
        """
    )
    /// Those that are participles as well: "the file sent by mail", "the server sent the file".
    static let pastParticiples = words(
        """
        bought brought built caught dealt fed felt found had heard held hit kept led left lost made met paid put read
        sent set sold spent stuck swung taught thought told understood won
        """
    )
}
