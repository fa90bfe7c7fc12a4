// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// The forms in which programs asked for keys: xterm's level, and kitty's flags, which the two screens keep apart and
/// programs push and pop.
struct KeyboardRequests {
    /// The most that are kept of one screen's; the oldest goes first.
    static let deepest = 16

    private var level = 0
    /// The flags that were pushed, those that hold last.
    private var main: [Int] = []
    private var alternate: [Int] = []

    /// The flags of kitty's protocol that hold.
    func flags(isAlternate: Bool) -> Int { (isAlternate ? alternate : main).last ?? 0 }

    func form(isAlternate: Bool) -> KeyForm {
        let flags = flags(isAlternate: isAlternate)
        if flags != 0 { return .kitty(flags: flags) }
        return level > 0 ? .modifyOtherKeys(level: level) : .plain
    }

    /// Takes a sequence: its marker, its final byte and its numbers.
    mutating func take(_ marker: UInt8, _ final: UInt8, _ parameters: Parameters, isAlternate: Bool) {
        switch (marker, final) {
        case (UInt8(ascii: ">"), UInt8(ascii: "m")):
            // Without a number, all resources of keys are as at first.
            let resource = parameters.value(0, default: 4)
            if resource == 4 { level = min(parameters.value(1), 2) }
        case (UInt8(ascii: ">"), UInt8(ascii: "n")): if parameters.value(0, default: 2) == 4 { level = 0 }
        default:
            var flags = isAlternate ? alternate : main
            change(&flags, marker, parameters)
            if isAlternate { alternate = flags } else { main = flags }
        }
    }

    private func change(_ flags: inout [Int], _ marker: UInt8, _ parameters: Parameters) {
        let number = parameters.value(0) & KeyForm.knownKittyFlags
        switch marker {
        case UInt8(ascii: ">"):
            // Beneath the first is what holds without any: none.
            if flags.count == Self.deepest { flags.removeFirst() }
            flags.append(number)
        case UInt8(ascii: "<"): flags.removeLast(min(parameters.countValue(), flags.count))
        default:
            let before = flags.popLast() ?? 0
            switch parameters.value(1, default: 1) {
            case 1: flags.append(number)
            case 2: flags.append(before | number)
            case 3: flags.append(before & ~number)
            default: flags.append(before)
            }
        }
    }
}
