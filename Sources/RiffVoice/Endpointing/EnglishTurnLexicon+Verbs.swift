// Riff
// SPDX-License-Identifier: Apache-2.0

/// Verbs, by what they want behind them.
extension EnglishTurnLexicon {
    /// Forms of `be`.
    static let be = words("is are was were am be been being isn't aren't wasn't weren't")
    /// Auxiliaries and forms of `be`: something follows, unless it was said before.
    static let auxiliaries = words(
        """
        is are was were am be will would can could should shall may might must have has had do does did ought been being
        """
    )
    /// The same, with their negation.
    static let negatedAuxiliaries = words(
        """
        isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't mustn't haven't hasn't hadn't don't
        doesn't didn't ain't mightn't needn't
        """
    )
    static let allAuxiliaries = auxiliaries.union(negatedAuxiliaries)
    /// Verbs that are nothing without an object, in the forms that end an unfinished clause.
    static let transitive = words(
        """
        need needs want wants use uses using add adds adding put puts putting create creates creating make makes making
        give gives giving set sets setting include includes contain contains require requires means implement replace
        replaces replacing modify get gets getting find finding keep keeps take takes taking bring brings send sends
        sending tell tells telling say says saying ensure ensures avoid allow allows prevent prevents enable disable
        reduce convert handle handles describe select choose suggest suggests mention believe believes hope wonder
        wondering seem seems seemed becomes become feels sounds appears appear remove delete rename install fix fixes
        fixing increase decrease assume assumes consider rewrite extract attach provide provides generate compare causes
        cause introduce define expect expects returns produce produces prefer calls assign throws display displays
        indicate indicates shows showing show supports containing including requiring insist insists regarding
        considering thinks said bought visited configure ordered stating meaning adjust append prepend insert copy grab
        fetch like likes looks having has think
        """
    )
    /// Verbs and adjectives of saying and thinking, behind which a clause is their object.
    static let cognition = words(
        """
        think thinks thought know knows knew say says said see sees saw believe believes hope hopes guess mean means
        meant tell tells told feel feels felt remember notice noticed find found ensure assume want wants wanted decide
        decided sure suggest suggests happens heard hear realize realise certain clear afraid worried show shows make
        makes made let lets
        """
    )
    /// Finite forms that are hardly ever nouns: one outside a relative clause is a predicate.
    static let predicates = words(
        """
        goes went gone comes came fails failed passes passed works worked breaks broke crashes crashed hangs hung looks
        looked seems seemed runs ran takes took makes made gives gave gets got needs needed wants wanted keeps kept says
        said happens happened starts started stops stopped finishes finished ends ended exists existed returns returned
        shows showed opens opened closes closed contains contained includes included throws threw uses used means meant
        sits sat sounds smells tastes feels felt lives lived stays stayed appears appeared disappears disappeared grows
        grew drops dropped stinks lies knows knew thinks thought belongs depends matters helps helped costs lost won
        left arrived jumps covers ignores ignored disconnects connects lands doubles rings flashes blinks flickers
        overlaps freezes spins hides moves moved turns turned falls fell rises rose resets restarts restarted reloads
        refreshes overwrites deletes removes adds creates created writes wrote reads parses renders receives fetches
        catches listens waits reaches exceeds lacks requires accepts rejects refuses allows spends holds saves loses
        beats leaks wraps aligns drifts skips repeats replies asks tells explains suggests begins began ships deploys
        compiles installs downloads uploads syncs expires shrinks eats drinks sleeps pays hurts rains rained becomes
        became died dies froze loads loaded sends sent wins lets
        """
    )
    /// Verbs that people tell an agent, without those that are mostly nouns.
    static let imperatives = words(
        """
        run stop start go open close add remove delete fix make create show tell give get let send put take use try keep
        write read merge push pull commit deploy revert undo install restart rebuild build check move rename replace
        ignore skip continue cancel explain find look ask call wake remind please don't do turn switch set save clean
        clear update print kill bring leave wait apply bump tag publish drop pick review email message text play pause
        ping notify rerun retry roll back shut escalate squash rebase say be have format abort ship change raise lower
        order book
        """
    )
    /// Verbs that make one meaning with a particle right behind them.
    static let phrasal = words(
        """
        log logs logged logging sign signed signing turn turned turns switch switched check checked checking plug come
        comes coming came go goes going went gone carry move moved moving hold keep put try get gets getting bring let
        set back shut shuts break breaks broke slow slows speed wake wakes look looks sum wrap start starts started
        follow catch give gives hurry stand sit calm write print run runs ran figure find work works point leave time
        times timed fade zoom scroll drop drops kick hang hangs call tear spin scale roll rolled cut fill fold mess pick
        pop pull push show shows split swap take throw tidy step boot boots blow fall falls fell pass lock locked opt
        tune join stay read stop act think
        """
    )
    /// Those of them that want an object besides.
    static let transitivePhrasal = words(
        """
        turn switch set pick point carry bring put take write figure give send leave throw call look kick tear print
        fill hand
        """
    )
    /// Words after which an infinitive is theirs: "ready to" is incomplete, "hard to work with" is not.
    static let infinitiveHeads = words(
        """
        going need needs want wants have has had like able supposed trying try used order about love prefer plan
        planning got ought decide decided tend tends seem seems seemed wanted needed forget forgot remember hope hoping
        ready start started continue ask asked tell told it them him her you me us way time how what where when allowed
        required meant bound happy willing likely chance reason manage managed refuse refused begin something
        nothing anything everything someone thing things
        """
    )
}
