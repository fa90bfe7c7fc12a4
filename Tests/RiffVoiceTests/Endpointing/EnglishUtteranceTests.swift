// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

/// Examples of each rule, on both sides of it.
struct EnglishUtteranceTests {
    private func expect(_ text: String, isWhole: Bool) {
        #expect(UtteranceCompleteness().verdict(on: text) == (isWhole ? .complete : .incomplete), "\(text)")
    }

    @Test(arguments: [
        ("yes", true), ("go ahead", true), ("not really", true), ("i don't know", true), ("okay", true),
        ("thank you", true), ("of course not", true), ("this", true), ("firstly", false), ("the", false),
        ("because", false), ("my", false), ("with", false),
    ])
    func `short answers are whole`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("the menu should say", false), ("add a comment saying", false), ("commit it with the message", false),
        ("change the message", true), ("i get the following", false), ("it prints the following error", false),
        ("there are two options", false), ("i have three questions first", false), ("open https", false),
        ("then it says quote", false), ("what does it say", true), ("there are two problems with the parser", true),
        ("the log says", false), ("what should it say", true),
    ])
    func `what was announced is waited for`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("it was like you know", false), ("how much do you know", true), ("what do you mean", true),
        ("the server is kind of", false), ("delete all of it if so", true), ("i think so", true),
        ("it crashes every time", true), ("it turned out", false), ("as soon", false), ("first of all", false),
        ("for example", false), ("do it step by step", true), ("that is the reason", false),
        ("we moved away from it for the fact", false), ("it doesn't work at all", true), ("it no longer", false),
    ])
    func `phrases hold the turn or end it`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("open the", false), ("move it to my", false), ("the client and", false), ("stop it because", false),
        ("put both at once", true), ("that's not really true though", true), ("find the root cause", true),
        ("tell me why", true), ("i know who", true), ("ask them what", false), ("i wonder where", true),
        ("it was green until", false), ("show me how", true),
    ])
    func `articles and conjunctions go on`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("do that", true), ("i see that", true), ("i think that", false), ("keep this one and that", false),
        ("there's an error that", false), ("i'm sure that", false), ("what do you think of that", true),
        ("not that many", true), ("fix both", true), ("there are some", false), ("give me a few", true),
        ("i need several", false), ("do it once more", true), ("he said no", true), ("there is no", false),
        ("which one is better than another", false),
    ])
    func `demonstratives and quantifiers want their noun, or stand for it`(text: String, isWhole: Bool) {
        expect(text, isWhole: isWhole)
    }

    @Test(arguments: [
        ("the page has a new", false), ("the page is new", true), ("write a very short", false), ("my old red", false),
        ("it needs a completely different", false), ("the second", true), ("i like this very much", true),
        ("that really helps", true), ("move it to the front", true), ("give me a useful", false),
        ("that is useful", true), ("put it on the table", true), ("take the most recent", false),
    ])
    func `adjectives want their noun`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("fix it", true), ("because it", false), ("what is it", true), ("i did it", true), ("should it", false),
        ("if you", false), ("how are you", true), ("i want you", false), ("the thing you", false),
        ("we should stop now shouldn't we", true), ("so do i", true), ("and then i", false), ("run it and we", false),
        ("fix them", true), ("show me", false), ("what did they send me", true), ("let them", false),
        ("put it there", true), ("because there", false), ("can you help me", true), ("look at her", false),
        ("i asked her", true),
    ])
    func `subjects go on, objects end`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("it fails often", true), ("it never", false), ("we also", false), ("me too", true), ("do it now", true),
        ("and now", false), ("rename it please", true), ("i don't like it either", true), ("i want to quickly", false),
        ("we fly to italy", true),
        ("i think the tests have already", false), ("i read it already", true), ("this is really", false),
        ("what's going", true), ("are we going", false), ("so do it then", true), ("it works as well", true),
        ("it is not", false), ("and so", false), ("the only", false),
    ])
    func `adverbs end where no verb is waited for`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("yes i do", true), ("the server is", false), ("tell me what it is", true), ("it's faster than it was", true),
        ("the tests will", false), ("what should i do", true), ("show me where the file is", true),
        ("where the fault is", false), ("she said she would", true), ("it should be", false),
        ("as big as it can be", true), ("the tests have been", false), ("no it isn't", true), ("i want to do", false),
        ("we already have", true), ("the function doesn't", false), ("what i have", true),
    ])
    func `auxiliaries want their verb unless it was said`(text: String, isWhole: Bool) {
        expect(text, isWhole: isWhole)
    }

    @Test(arguments: [
        ("i want to", false), ("delete it if you want to", true), ("i told you not to", true),
        ("who are you talking to", true), ("the host i'm connected to", true), ("move it to", false),
        ("it doesn't have to", true), ("i need somebody to talk to", true), ("what are we going to", false),
        ("where is this going to", true), ("send the file to", false),
    ])
    func `to wants its verb or its goal unless they were said`(text: String, isWhole: Bool) {
        expect(text, isWhole: isWhole)
    }

    @Test(arguments: [
        ("what are you waiting for", true), ("wait for", false), ("what is the name of", false),
        ("someone to talk with", true), ("the file i told you about", true), ("deploy it with", false),
        ("it was taken care of", true), ("what does it look like", true), ("it looks like", false),
        ("do it as you like", true), ("like we did the day before", true), ("restart it after", false),
        ("as mentioned above", true), ("put it above", false), ("we are an hour behind", true),
        ("never heard of", true), ("i have a lot of", false), ("the one i was thinking of", true),
    ])
    func `prepositions are stranded or go on`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("turn it off", true), ("turn the lights off", true), ("log me in", true), ("what's going on", true),
        ("carry on", true), ("shut down", true), ("can you turn off", false), ("the servers shut down", true),
        ("put it back in", true), ("let's think it over", true), ("pass it along", false), ("end up", false),
        ("the heating is on", true), ("and then out", true), ("run the tests on", false), ("don't give up", true),
        ("from now on", false), ("i'll do it later on", true), ("on and off", false), ("we ended up", false),
    ])
    func `particles belong to their verb`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("the wrapper function takes", false), ("the tools we use", true), ("it's no use", true), ("please add", false),
        ("this is the fix", true), ("what does it need", true), ("do it as you suggest", true), ("i think", false),
        ("the page contains", false),
    ])
    func `verbs want their object`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("foo dot", false), ("without the dot", true), ("example dot com slash", false), ("a backslash", true),
        ("upgrade it to version", false), ("which line", true), ("version two point", false),
        ("that's the point", true), ("call plus four four", false), ("the address is one nine two", false),
        ("my phone number is oh one six", false), ("my number is oh one six three two nine six oh", true),
        ("that is number three", true),
    ])
    func `numbers, signs and addresses may be cut`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("if the tests fail", false), ("if the tests fail stop", true), ("once the build has passed", false),
        ("once the build has passed deploy it", true), ("if it rains we'll stay", true), ("when will it be done", true),
        ("after lunch", true), ("until tomorrow", true), ("if the file", false), ("as soon as it is ready", false),
        ("if it fails the server should restart", true), ("when you see the doorbell flash the lights", true),
        ("so if the host is down", false), ("now that it works", false), ("even if nobody uses the old button", false),
        ("every time i open the page it crashes", true), ("before that", true), ("if you think it works", false),
        ("if there is a file then", true), ("when i click on save nothing happens", true),
    ])
    func `a condition waits for what is to happen`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("on the one hand it's fast", false), ("on the one hand it's fast on the other it's ugly", true),
        ("update both the client", false), ("update both the client and the server", true),
        ("it not only crashes", false), ("it not only crashes but hangs", true),
        ("we either wait for the release", false), ("we either wait or ship", true), ("either of them works", true),
        ("the longer it runs", false), ("the longer it runs the slower it gets", true),
        ("the more workers i add", false),
        ("the longer one", true),
    ])
    func `the first half of a pair waits for the second`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        ("the function that parses the header", false), ("the function that parses the header is slow", true),
        ("anybody who has used the old button", false), ("one of the people at the office", false),
        ("the second one", true),
        ("every five minutes", true), ("what i'd like to know", false), ("what i'd like to know is the price", true),
        ("the team decided that it works", true), ("the tests fail", true), ("the file mentioned above", true),
        ("i think the people in the apartment above the bakery", false), ("i think the second one", true),
        ("the server in the basement", false), ("my dog bit the postman", true),
        ("the user clicks the button", true), ("the user settings", false), ("my sister teaches english", true),
        ("the users love it when it works", true), ("the tests the team wrote last week", false),
        ("the man who bought the house and sold", false), ("a neighbour whose dog", false),
        ("the colour that the designer", false),
    ])
    func `a subject waits for its verb`(text: String, isWhole: Bool) { expect(text, isWhole: isWhole) }

    @Test(arguments: [
        "It's", "That's", "it\u{2019}s", "That\u{2019}s.", "what's", "who's", "where's", "how's", "why's", "here's",
        "there's",
        "he's", "let's", "i'm", "they're", "what're", "those're", "it'll", "that'll", "everybody'll", "the server'll",
        "it'd",
        "that'd", "who'd", "you'd", "i'd", "you've", "who've", "there've", "could've", "should've", "he could've",
        "i'd've",
        "thats", "whats", "theres", "im", "youre", "lemme", "gimme", "i think it's", "because it's", "okay so it's",
        "the problem is that it's", "wherever it's", "i know what's", "tell me where it's", "the server's",
        "my mother's",
        "everyone's", "make sure everyone's", "i think the server's", "this one's", "because nobody's", "yes it's",
    ])
    func `contractions at the end go on`(text: String) { expect(text, isWhole: false) }

    @Test(arguments: [
        "it isn't", "no that isn't", "that's it", "that's all", "that's that", "it's nobody's", "put it at my mother's",
        "it's the server's", "yes i should've", "but they could've", "it's done", "that's fine",
        "i don't know what it is",
    ])
    func `negations, possessives and answers are whole`(text: String) { expect(text, isWhole: true) }

    @Test(arguments: [
        "the", "a", "an", "The.", "open a", "of", "in", "in.", "by", "to", "with", "from", "for", "at", "about", "into",
        "through",
        "across", "around", "without", "per", "via", "according to", "because of", "instead of", "next to", "out of",
        "it's a", "it's the", "put it in a", "send it to", "i want to go to",
    ])
    func `articles and prepositions alone go on`(text: String) { expect(text, isWhole: false) }
}
