// Riff
// SPDX-License-Identifier: Apache-2.0

extension ApprovalLexicon {
    /// English. Words that are heard for "no" ("know", "now") deny nothing, and are no part of a yes either.
    static let english = ApprovalLexicon(
        denials: """
            no nope nah naw nay negative not never none nothing neither nor without don't dont doesn't doesnt didn't
            didnt won't wont can't cant cannot couldn't shouldn't shouldnt wouldn't isn't isnt aren't wasn't mustn't
            ain't stop stopping halt wait waiting hold cancel cancelled canceled abort aborted quit exit deny denied
            denying decline declined refuse refused reject rejected forbid forbidden disallow disallowed disagree
            block blocked veto undo revert pause skip ignore drop forget wrong incorrect mistake oops whoa danger
            dangerous bad unsafe leave
            """,
        deniedPhrases: """
            hang on, not yet, back off, back up, get out, shut up, go back, knock it off, cut it out, call it off,
            one second, one moment, just a second, just a moment, give me a, let me think, let me see, let me check,
            let me look, i'd rather
            """,
        approvals: """
            yes, yeah, yep, yup, aye, sure, certainly, absolutely, definitely, affirmative, approve, approved,
            approve it, approve that, approve this, allow, allowed, allow it, allow that, allow this, i allow it,
            i approve, i agree, agreed, permission granted, granted, proceed, go ahead, go for it, do it, do that,
            do so, run it, run that, please do, please do it, you may, you can, that's fine, that is fine,
            fine by me, of course, sounds good, confirm, confirmed, i confirm, accept, accepted, carry on,
            yes you may, yes you can
            """,
        fillers: """
            please okay ok and thanks well oh ah alright so
            """
    )
}
