// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words by which permission is given and refused in English.
enum EnglishApprovalLexicon {
    /// Words that deny alone, wherever they stand. Those that are heard for "no" ("know", "now") are not among them:
    /// they are no part of a yes either.
    private static let denials: Set<String> = [
        "no", "nope", "nah", "naw", "nay", "negative", "not", "never", "none", "nothing", "neither", "nor", "without",
        "don't", "dont", "doesn't", "doesnt", "didn't", "didnt", "won't", "wont", "can't", "cant", "cannot", "couldn't",
        "shouldn't", "shouldnt", "wouldn't", "isn't", "isnt", "aren't", "wasn't", "mustn't", "ain't", "stop",
        "stopping",
        "halt", "wait", "waiting", "hold", "cancel", "cancelled", "canceled", "abort", "aborted", "quit", "exit",
        "deny",
        "denied", "denying", "decline", "declined", "refuse", "refused", "reject", "rejected", "forbid", "forbidden",
        "disallow", "disallowed", "disagree", "block", "blocked", "veto", "undo", "revert", "pause", "skip", "ignore",
        "drop", "forget", "wrong", "incorrect", "mistake", "oops", "whoa", "danger", "dangerous", "bad", "unsafe",
        "leave",
    ]

    /// Denials of several words.
    private static let deniedPhrases: [[String]] = [
        ["hang", "on"], ["not", "yet"], ["back", "off"], ["back", "up"], ["get", "out"], ["shut", "up"],
        ["go", "back"],
        ["knock", "it", "off"], ["cut", "it", "out"], ["call", "it", "off"], ["one", "second"], ["one", "moment"],
        ["just", "a", "second"], ["just", "a", "moment"], ["give", "me", "a"], ["let", "me", "think"],
        ["let", "me", "see"], ["let", "me", "check"], ["let", "me", "look"], ["i'd", "rather"],
    ]

    /// What permission is given with. A mere "okay" is not: people say it to what they hear.
    private static let approvals: [[String]] = [
        ["yes"], ["yeah"], ["yep"], ["yup"], ["aye"], ["sure"], ["certainly"], ["absolutely"], ["definitely"],
        ["affirmative"], ["approve"], ["approved"], ["approve", "it"], ["approve", "that"], ["approve", "this"],
        ["allow"], ["allowed"], ["allow", "it"], ["allow", "that"], ["allow", "this"], ["i", "allow", "it"],
        ["i", "approve"], ["i", "agree"], ["agreed"], ["permission", "granted"], ["granted"], ["proceed"],
        ["go", "ahead"], ["go", "for", "it"], ["do", "it"], ["do", "that"], ["do", "so"], ["run", "it"],
        ["run", "that"],
        ["please", "do"], ["please", "do", "it"], ["you", "may"], ["you", "can"], ["that's", "fine"],
        ["that", "is", "fine"], ["fine", "by", "me"],
        ["of", "course"], ["sounds", "good"], ["confirm"], ["confirmed"], ["i", "confirm"], ["accept"], ["accepted"],
        ["carry", "on"], ["yes", "you", "may"], ["yes", "you", "can"],
    ].sorted { $0.count > $1.count }

    /// What may stand around them and says nothing.
    private static let fillers: Set<String> = [
        "please", "okay", "ok", "and", "thanks", "well", "oh", "ah", "alright", "so",
    ]

    static func isDenial(_ word: String) -> Bool { denials.contains(word) }

    static func holdsDenial(_ words: [String]) -> Bool {
        words.indices.contains { start in deniedPhrases.contains { words[start...].starts(with: $0) } }
    }

    /// Questions, quotations and sentences that break off.
    static func holdsDoubt(_ text: String) -> Bool {
        text.contains("..") || text.contains { "?？¿\"“”„«»…*/\\:;()[]{}<>".contains($0) }
    }

    /// Whether the words are approvals and fillers and nothing else, at least one of the former among them.
    static func isApproval(_ words: [String]) -> Bool {
        var (rest, isApproved) = (words[...], false)
        while let first = rest.first {
            if let phrase = approvals.first(where: { rest.starts(with: $0) }) {
                isApproved = true
                rest = rest.dropFirst(phrase.count)
            } else if fillers.contains(first) {
                rest = rest.dropFirst()
            } else {
                return false
            }
        }
        return isApproved
    }
}
