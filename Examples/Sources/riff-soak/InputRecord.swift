// Riff
// SPDX-License-Identifier: Apache-2.0

/// What was given to a session, and whether what its program got is what the SDK promises of that:
///
/// - what was taken arrives, once, whole and in order, while its connection stands;
/// - of what was on its way when a connection was lost, a beginning arrives, and the rest never;
/// - what was refused does not arrive;
/// - what is told as uncertain arrives whole or not at all, or a beginning of it where a connection was lost;
/// - of a text whose Return was refused, the text counts as taken, if it was.
package struct InputRecord: Sendable {
    /// What the SDK said of an input.
    package enum Answer: Sendable {
        case taken, refused, uncertain
    }

    /// What became of all of it.
    package struct Outcome: Sendable {
        /// How many inputs arrived.
        package var arrived = 0
        /// How many were on their way when a connection was lost, and did not arrive or not whole.
        package var lost = 0
        /// How many that were told as uncertain arrived.
        package var uncertain = 0
    }

    private struct Entry {
        enum Answer { case taken, begun, refused, uncertain }

        let forms: [[UInt8]]
        let answer: Answer
    }

    private var entries: [Entry] = []

    package init() {}

    package var count: Int { entries.count }

    package mutating func add(_ input: Input, _ answer: Answer) {
        let writes = input.writes
        for (index, forms) in writes.enumerated() {
            let isLast = index == writes.count - 1
            let answer: Entry.Answer =
                switch answer {
                case .taken: .taken
                case .refused: isLast ? .refused : .begun
                case .uncertain: writes.count > 1 && !isLast ? .begun : .uncertain
                }
            entries.append(Entry(forms: forms, answer: answer))
        }
    }

    /// Compares with what arrived.
    ///
    /// - Parameters:
    ///   - bytes: What the program got.
    ///   - losses: How often a connection was lost meanwhile, at most.
    ///   - isEnded: Whether the session was ended meanwhile, so that anything at the end may be missing.
    /// - Returns: What became of it; `nil` where it is not what is promised.
    package func outcome(of bytes: [UInt8], losses: Int, isEnded: Bool = false) -> Outcome? {
        var search = Search(entries: entries, bytes: bytes, isEnded: isEnded)
        return search.follow(Place(entry: 0, byte: 0, losses: losses, mayOweEnd: false))
    }

    /// The first bytes that do not fit, for a report.
    package func difference(from bytes: [UInt8]) -> String {
        var expected = entries.filter { $0.answer != .refused }.compactMap(\.forms.first).flatMap(\.self)[...]
        var rest = bytes[...]
        while let one = expected.first, one == rest.first {
            expected.removeFirst()
            rest.removeFirst()
        }
        func shown(_ bytes: ArraySlice<UInt8>) -> String {
            String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription
        }
        return "after \(bytes.count - rest.count) of \(bytes.count) bytes: got \(shown(rest)), not \(shown(expected))"
    }

    private struct Place: Hashable {
        var entry: Int
        var byte: Int
        var losses: Int
        /// Whether a paste was cut off here, whose end the next connection may begin with.
        var mayOweEnd: Bool
    }

    /// Tries what may have become of each input in turn.
    private struct Search {
        let entries: [Entry]
        let bytes: [UInt8]
        let isEnded: Bool
        /// From where nothing was found.
        private var failed: Set<Place> = []

        init(entries: [Entry], bytes: [UInt8], isEnded: Bool) {
            self.entries = entries
            self.bytes = bytes
            self.isEnded = isEnded
        }

        mutating func follow(_ start: Place) -> Outcome? {
            // Most of it is plain: no need to remember the way. But a key as short as Escape may be lost where the next
            // input begins with the same byte.
            var place = start
            var arrived = 0
            var short: [(place: Place, arrived: Int)] = []
            while place.entry < entries.count, entries[place.entry].answer == .taken,
                let form = entries[place.entry].forms.first(where: { has($0, at: place.byte) })
            {
                if form.count == 1 { short.append((place, arrived)) }
                place.byte += form.count
                place.entry += 1
                place.mayOweEnd = false
                arrived += 1
            }
            if place.byte == bytes.count, isEnded || place.entry == entries.count {
                return Outcome(arrived: arrived)
            }
            guard !failed.contains(place) else { return nil }
            if var outcome = decide(place) {
                outcome.arrived += arrived
                return outcome
            }
            for (place, arrived) in short.reversed() {
                guard var outcome = lose(place) else { continue }
                outcome.arrived += arrived
                return outcome
            }
            failed.insert(place)
            return nil
        }

        private mutating func decide(_ place: Place) -> Outcome? {
            if isEnded, place.entry < entries.count {
                let rest = bytes.count - place.byte
                if entries[place.entry].forms.contains(where: { common($0, at: place.byte) == rest }) {
                    return Outcome()
                }
            }
            if place.mayOweEnd, has(Input.pasteEnd, at: place.byte) {
                // The end of a paste that was cut off.
                var next = place
                next.byte += Input.pasteEnd.count
                next.mayOweEnd = false
                if let outcome = follow(next) { return outcome }
            }
            guard place.entry < entries.count else { return nil }
            let entry = entries[place.entry]
            var next = place
            next.entry += 1
            switch entry.answer {
            case .refused: return follow(next)
            case .uncertain:
                if let form = entry.forms.first(where: { has($0, at: place.byte) }) {
                    var taken = next
                    taken.byte += form.count
                    taken.mayOweEnd = false
                    if var outcome = follow(taken) {
                        outcome.uncertain += 1
                        return outcome
                    }
                }
                return follow(next) ?? lose(place)
            case .begun:
                if let form = entry.forms.first(where: { has($0, at: place.byte) }) {
                    var taken = next
                    taken.byte += form.count
                    taken.mayOweEnd = false
                    if let outcome = follow(taken) { return outcome }
                }
                return follow(next) ?? lose(place)
            case .taken: return lose(place)
            }
        }

        /// A connection was lost here: a beginning of this input arrived, and nothing of some that follow.
        private mutating func lose(_ place: Place) -> Outcome? {
            guard place.losses > 0 else { return nil }
            let most = entries[place.entry].forms.map { common($0, at: place.byte) }.max() ?? 0
            for skipped in 1...(entries.count - place.entry) {
                for part in stride(from: most, through: 0, by: -1) {
                    var next = place
                    next.entry += skipped
                    next.byte += part
                    next.losses -= 1
                    next.mayOweEnd =
                        part > 0 && entries[place.entry].forms.contains { $0.starts(with: Input.pasteStart) }
                    guard mayContinue(next) else { continue }
                    if var outcome = follow(next) {
                        outcome.lost += skipped
                        return outcome
                    }
                }
            }
            return nil
        }

        /// Keeps the search small: what comes next must be there, unless nothing has to be.
        private func mayContinue(_ place: Place) -> Bool {
            guard place.entry < entries.count else { return place.byte == bytes.count }
            let entry = entries[place.entry]
            if entry.answer != .taken || has(Input.pasteEnd, at: place.byte) { return true }
            return entry.forms.contains { has(Array($0.prefix(8)), at: place.byte) } || place.losses > 0
        }

        private func has(_ form: [UInt8], at start: Int) -> Bool {
            bytes.count - start >= form.count && bytes[start..<start + form.count].elementsEqual(form)
        }

        private func common(_ form: [UInt8], at start: Int) -> Int {
            zip(form, bytes[start...]).prefix { $0 == $1 }.count
        }
    }
}
