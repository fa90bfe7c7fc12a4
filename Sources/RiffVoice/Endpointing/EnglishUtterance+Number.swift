// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Cut numbers, versions and addresses.
    var isWholeAtNumber: Bool? {
        if isCutPhoneNumber { return false }
        guard let previous else { return Lexicon.signs.contains(last) ? false : nil }
        let isBehindNumber = Lexicon.numbers.contains(previous) || previous.last?.isNumber == true
        switch last {
        // "Version two point".
        case "point", "hash", "star": return isBehindNumber ? false : nil
        // "Foo dot" is cut, "without the dot" is not.
        case _ where Lexicon.signs.contains(last): return Self.signLeads.contains(previous)
        // "Upgrade it to version" is cut, "what is this line" is not.
        case _ where Lexicon.announcing.contains(last):
            return Self.announcingLeads.contains(previous) ? hasWh && last != "number" : nil
        default: return nil
        }
    }

    private static let signLeads = Lexicon.words("the a an that this every no one mad trailing leading")
    private static let announcingLeads = Lexicon.words(
        "to on in at use open from issue go version until after line port upgrade install of ticket pull"
    )

    /// "My number is oh one six", "call plus four four", "the address is one nine two": fewer than seven digits.
    private var isCutPhoneNumber: Bool {
        guard let start = words.lastIndex(where: { !isSpokenDigit($0) }), start < words.count - 1 else { return false }
        let digits = words[(start + 1)...].reduce(0) { $0 + ($1.first?.isNumber == true ? $1.count : 1) }
        let before = start > 0 ? words[start - 1] : ""
        let isDialled =
            switch words[start] {
            case "is": before == "address" || before == "number" && start > 1 && Self.owners.contains(words[start - 2])
            case "plus": ["call", "dial", "text", "is"].contains(before)
            case "address": true
            default: false
            }
        return isDialled && digits < 7
    }

    private static let owners = Lexicon.words("my phone card mobile his her their")

    private func isSpokenDigit(_ word: String) -> Bool {
        Lexicon.numbers.contains(word) || ["oh", "double", "triple"].contains(word) || word.allSatisfy(\.isNumber)
    }
}
