// Riff
// SPDX-License-Identifier: Apache-2.0

/// Phrases that end an utterance, and those that never do.
extension EnglishTurnLexicon {
    /// Words that answer as they are.
    static let wholeWords = words(
        """
        yes no yeah yep nope ok okay sure right correct exactly stop go continue cancel undo redo next back again done
        help please thanks maybe perhaps probably never always nothing everything something both neither either none all
        now later why what how who when where really absolutely definitely perfect great good nice fine cool wrong hello
        hi hey bye goodbye wait pause resume quit exit save submit send retry skip first second third one two three four
        five left up down enough more less this that these those him me mine yours here there today tomorrow
        """
    )
    /// Phrases of two to four words that answer as they are.
    static let wholePhrases = phrases(
        """
        of course, of course not, why not, not yet, not really, not now, not at all, i see, i know, i do, i am, i have,
        i will, i can, i did, i don't know, i guess, i guess so, i think so, i hope so, i don't think so, i agree,
        i understand, i'm done, go on, go ahead, carry on, come on, come in, hold on, hang on, move on, what for,
        where to, who with, who for, where from, how so, so what, now what, what else, who else, never mind, no need,
        you too, me too, me neither, same here, all of it, right now, as well, thank you, let's go, please do,
        wait what, i'm afraid not, i'm afraid so, yes do, here you go, there you go, got it, do it, let me check,
        let me look, let me know, what is it, what was that, how come, since when, until when, it is, it was, it does,
        they are, they do, we do, we can, we are, he is, she is, he did, she did, so do i, so am i, shall we, may i,
        guess what, as usual, as before, just now, and you, or not, the end, either one, either way, that one, this one,
        so far, not so fast, if so, in there, over there, it works, it worked, it depends, fair enough, more or less,
        and so on, hands off, no way, by all means
        """
    )
    /// Phrases that end an utterance although their last word seldom does.
    static let wholeEnds = phrases(
        """
        i think so, if so, or so, even so, and so on, not so, say so, says so, said so, do so, does so, hope so,
        guess so, believe so, think so, is that so, just so, more so, told you so, why so, how so, guess not, hope not,
        or not, why not, think not, maybe not, probably not, certainly not, definitely not, absolutely not, if not,
        of course not, rather not, better not, believe or not, not at all, as well, as such, as usual, as always, as is,
        just in case, of course, so far, each other, one another, how come, or else, and all, after all, at all,
        that's all, it all, them all, that's it, is that it, no matter what, so what, guess what, you know what,
        or what, now what, then what, that's that, or both, get even, break even, no idea, as planned, as expected,
        the same, or whatever, not really, or either, one by one, by and large, once and for all, the other way around,
        step by step, or so i think, a bit more, a little more, any more, anymore, what else, anything else,
        something else, nothing else, read only, going on, at least, thank you, the other, no other, or other
        """
    )
    /// Phrases that go on, unless what is missing was said before.
    static let openEnds = phrases(
        """
        let me see, let me think, kind of, sort of, how do i put this, how do you say, how should i put it, so like,
        and like, or something like, for example, for instance, such as, in other words, that is to say, as in,
        on the one hand, on the other hand, first of all, the thing is, at the same, as soon, as long, as well as,
        in order, according, due to, because of, instead of, even though, even if, as if, as though, in the, not only,
        what about, how about, such a, a couple of, a lot of, more and, in addition, except for, let alone, the more,
        apart from, e.g, i.e, each and, in terms, with respect, on behalf, on top of, in front, next to, as far,
        as follows, keep in mind, bear in mind, make sure, makes sure, so that, now that, given that, in case of,
        by the time
        """
    )
    /// Phrases in which "to" represents a verb that was said before.
    static let wholeInfinitives = phrases(
        """
        if you want to, if you need to, if you have to, if you'd like to, if i have to, don't have to, i'd love to,
        would love to, don't want to, didn't want to, didn't mean to, i was going to, you were going to, as it used to,
        like it used to, don't need to, told you to, asked you to, told it to, doesn't have to, where to, who to,
        not supposed to, unless you have to, when you want to, whenever you want to, doesn't need to, than it used to,
        happy to, glad to
        """
    )
    /// What is left of a verb and its preposition in the passive: "has it been dealt with".
    static let wholePassives = phrases(
        """
        care of, dealt with, looked after, looked into, looked at, thought of, thought about, spoken to, talked to,
        talked about, paid for, cared for, accounted for, relied on, worked on, asked for, listened to, heard of,
        called for, signed off, messed with
        """
    )
}
