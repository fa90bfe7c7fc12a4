// Riff
// SPDX-License-Identifier: Apache-2.0

/// English words by what may follow them.
enum EnglishTurnLexicon {
    static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    // MARK: Words that begin a turn

    /// Words before what a turn is about.
    static let openers = words(
        "and so but ok okay well now then also oh hey hi alright right um uh er erm hmm please yes yeah no just"
    )

    // MARK: Words that never end one

    /// Articles, possessives, and quantifiers that are nothing by themselves.
    static let determiners = words("the a an my your our their its every whose")
    static let coordinators = words("and or nor but plus versus vs")
    static let subordinators = words(
        "because cause if when while whenever wherever unless until till whereas whether than as although since lest "
            + "whoever whichever cuz"
    )
    static let fillers = words("um uh er erm hmm hm mm uhm ah eh")
    static let fillerPhrases = [
        "you know", "i mean", "let me see", "let me think", "kind of", "sort of", "how do i put this",
        "what's it called",
        "how do you say", "how should i put it", "what was it", "so like", "and like", "or something like", "let's see",
        "for example", "for instance", "such as", "in other words", "that is to say", "by the way", "as in",
        "on the one hand",
        "on the other hand", "first of all", "to be honest", "the thing is", "at the same", "as soon", "as long",
        "as well as", "in order", "according", "due to", "because of", "instead of", "even though", "even if", "as if",
        "as though", "the fact", "in the", "not only", "what about", "how about", "such a", "a couple of", "a lot of",
        "no longer", "more and", "at least", "in addition", "except for", "let alone", "the more", "apart from", "e.g",
        "i.e",
        "each and", "in terms", "with respect", "on behalf", "on top of", "in front", "next to", "as far",
        "as follows", "keep in mind", "bear in mind", "make sure", "makes sure", "so that", "now that", "given that",
        "in case of", "by the time", "every time", "the moment", "the reason",
    ]
    /// Adverbs that belong to a word behind them.
    static let intensifiers = words(
        "very quite extremely fairly super incredibly slightly almost nearly barely hardly highly rather merely basically "
            + "literally specifically especially particularly namely mainly unless despite gonna wanna gotta hafta just even "
            + "simply approximately roughly about-to supposed able unable willing planning trying likely unlikely tends "
            + "which who whom let's i'll you'll we'll they'll he'll she'll it'll i'd he'd she'd they'd we'd i've we've they've "
            + "you've you're they're we're i'm there's he's she's who's where's how's let other's"
    )
    /// Adjectives that nobody leaves behind an article.
    static let adjectives = words(
        "new old big small large main whole entire long short quick simple single certain particular specific current previous "
            + "following original actual real proper bad great local remote global temporary separate similar empty full public "
            + "private general important additional existing possible various broken failing missing unused huge tiny extra nice "
            + "necessary internal external final initial second third fourth fifth first last next same-old different other "
            + "own red green blue yellow black white grey unit integration staging production default verbose relevant recent "
            + "front back upper lower correct wrong exact better faster smaller bigger larger longer shorter newer older cleaner simpler higher "
            + "darker lighter brighter wider narrower smarter stricter quieter louder warmer cooler strange common weird ugly beautiful "
            + "expensive inexpensive cheap fancy clean dirty hot cold warm fresh young tall heavy strong weak rich poor safe dangerous "
            + "difficult complex complicated tricky obvious subtle minor major rare typical normal regular usual special rough smooth "
            + "deep wide narrow thick thin loud quiet sharp soft slow fast happy sad modern unique single obvious default easier nicer stronger safer cheaper worse optional conditional functional national professional-looking much-needed"
    )
    static let nounHeads = words(
        "one ones thing things everything something anything nothing all someone somebody anyone everyone person people way place "
            + "what who which where whom whoever whatever that those reason time"
    )

    /// Nouns that look like a verb's present participle.
    static let nounsInING = words(
        "evening morning thing something nothing everything anything string building meeting setting warning heading listing rating "
            + "spring king ring ceiling wedding training greeting parking spelling pricing king ping housing mapping binding"
    )

    // MARK: Verbs

    static let be = words("is are was were am be been being isn't aren't wasn't weren't")
    /// Auxiliaries and forms of `be`: something follows, unless it was said before.
    static let auxiliaries = words(
        "is are was were am be will would can could should shall may might must have has had do does did ought been being"
    )
    static let negatedAuxiliaries = words(
        "isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't mustn't haven't hasn't hadn't don't doesn't "
            + "didn't ain't mightn't needn't"
    )
    static let allAuxiliaries = auxiliaries.union(negatedAuxiliaries)
    /// Verbs that are nothing without an object, in the forms that end an unfinished clause.
    static let transitive = words(
        "need needs want wants use uses using add adds adding put puts putting create creates creating make makes making give "
            + "gives giving set sets setting include includes contain contains require requires means implement replace replaces "
            + "replacing modify get gets getting find finding keep keeps take takes taking bring brings send sends sending tell "
            + "tells telling say says saying ensure ensures avoid allow allows prevent prevents enable disable reduce convert "
            + "handle handles describe select choose suggest suggests mention believe believes hope wonder wondering seem seems "
            + "seemed becomes become feels sounds appears appear remove delete rename install fix fixes fixing increase decrease "
            + "assume assumes consider rewrite extract attach provide provides generate compare causes cause introduce define "
            + "expect expects returns produce produces prefer calls assign throws display displays indicate indicates shows "
            + "showing show supports containing including requiring insist insists regarding considering thinks said put "
            + "bought visited configure ordered stating meaning adjust append prepend insert copy grab fetch like likes looks having has"
    )
    /// Verbs of saying and thinking, behind which a clause follows that is their object.
    static let cognition = words(
        "think thinks thought know knows knew say says said see sees saw believe believes hope hopes guess mean means meant tell tells "
            + "told feel feels felt remember notice noticed find found ensure assume want wants wanted decide decided sure suggest "
            + "suggests happens heard hear realize realise certain clear afraid worried show shows make makes made let lets"
    )
    /// Finite forms that are hardly ever nouns: where one stands outside a relative clause there is a predicate.
    static let predicates = words(
        "goes went gone comes came fails failed passes passed works worked breaks broke crashes crashed hangs hung looks looked "
            + "seems seemed runs ran takes took makes made gives gave gets got needs needed wants wanted keeps kept says said "
            + "happens happened starts started stops stopped finishes finished ends ended exists existed returns returned shows "
            + "showed opens opened closes closed contains contained includes included throws threw uses used means meant sits sat "
            + "sounds smells tastes feels felt lives lived stays stayed appears appeared disappears disappeared grows grew drops "
            + "dropped stinks lies knows knew thinks thought belongs depends matters helps helped costs lost won left arrived "
            + "jumps covers ignores ignored disconnects connects lands doubles rings flashes blinks flickers overlaps freezes spins hides moves "
            + "moved turns turned falls fell rises rose resets restarts restarted reloads refreshes overwrites deletes removes adds creates "
            + "created writes wrote reads parses renders receives fetches catches listens waits reaches exceeds lacks requires accepts rejects "
            + "refuses allows spends holds saves loses beats leaks wraps aligns drifts skips repeats replies asks tells explains suggests begins "
            + "began ships deploys compiles installs downloads uploads syncs expires shrinks eats drinks sleeps pays hurts rains rained becomes became died dies freezes froze loads loaded sends sent wins loses lets"
    )
    /// Verbs that people tell an agent, without those that are mostly nouns.
    static let imperatives = words(
        "run stop start go open close add remove delete fix make create show tell give get let send put take use try keep write "
            + "read merge push pull commit deploy revert undo install restart rebuild build check move rename replace ignore skip "
            + "continue cancel explain find look ask call wake remind please don't do turn switch set save clean clear update "
            + "print kill bring leave wait apply bump tag publish drop pick review email message text play pause ping notify "
            + "rerun retry roll back shut escalate squash rebase say be have format abort ship change raise lower order book"
    )
    /// Verbs that make one meaning with a particle right behind them.
    static let phrasal = words(
        "log logs logged logging sign signed signing turn turned turns switch switched check checked checking plug come comes coming came "
            + "go goes going went gone carry move moved moving hold keep put try get gets getting bring let set back shut shuts break "
            + "breaks broke slow slows speed wake wakes look looks sum wrap start starts started follow catch give gives hurry stand "
            + "sit calm write print run runs ran figure find work works point leave time times timed fade zoom scroll drop drops "
            + "kick hang hangs call tear spin scale roll rolled cut fill fold mess pick pop pull push show shows split swap "
            + "take throw tidy step boot boots blow fall falls fell pass lock locked opt tune join stay read stop act"
    )
    /// Those that need an object beside the particle.
    static let transitivePhrasal = words(
        "turn switch set pick point carry bring put take write figure give send leave throw call look kick tear print fill hand"
    )
    static let particles = words(
        "in on off up down out over back through around away along ahead forward together apart aside by across"
    )
    /// Prepositions that are hardly ever particles.
    static let prepositions = words(
        "of at from for with to into onto between among amongst during without within against per via towards toward upon "
            + "except regarding concerning unlike besides like about under behind beside near throughout underneath "
            + "including in on by over through inside outside above below across around along after before past beyond"
    )
    /// What an infinitive follows, so that a `to` behind it goes on.
    static let infinitiveHeads = words(
        "going need needs want wants have has had like able supposed trying try used order about love prefer plan planning "
            + "got ought decide decided tend tends seem seems seemed wanted needed forget forgot remember hope hoping ready "
            + "start started continue ask asked tell told want it them him her you me us way time how what where when "
            + "allowed required meant bound easy hard happy willing likely chance reason manage managed refuse refused begin "
            + "something nothing anything everything someone thing things"
    )
    static let whWords = words(
        "what who whom which where whose how when why what's who's where's how's whatever whichever wherever"
    )
    static let subjects = words("i we he she they it you there this that")
    static let numbers = words(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
            + "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million couple few"
    )
    /// Nouns behind which a number or a name comes, where nothing before them says which.
    static let announcing = words(
        "version port line step chapter issue number column position page phase section row ticket channel option"
    )
    static let announced = words("things reasons options steps problems issues questions points ways possibilities")
    static let quoting = words("saying named titled entitled labelled labeled says reads called stating")
    static let quotedNouns = words(
        "message title subject text name words comment caption prompt heading label header body following"
    )
    /// Names of signs, behind which something is still to be spelt.
    static let signs = words(
        "slash dash underscore colon equals dot comma tilde asterisk hyphen semicolon ampersand minus"
    )
}
