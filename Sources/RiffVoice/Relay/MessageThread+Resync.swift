// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension MessageThread {
    /// The time that a message may be under way, and an answer may take: as long as a client waits for one, in seconds.
    private static let patience = 150.0

    /// Takes what the server has, each message once, and lets each bubble that is still without a name on the server
    /// become the message that it is.
    mutating func merge(_ messages: [ConversationMessage]) {
        var listed: Set<RiffIdentifier> = []
        let messages = messages.filter { $0.time.isFinite && listed.insert($0.id).inserted }
            .sorted { $0.time < $1.time }
        var places = Dictionary(
            entries.indices.compactMap { place in entries[place].serverID.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first }
        )
        let unknown = messages.filter { $0.role == .user && places[$0.id] == nil }
        places.merge(match(unknown)) { first, _ in first }
        let known = messages.map { message in
            guard let place = places[message.id] else { return Entry(message) }
            var entry = entries[place]
            entry.become(message)
            return entry
        }
        let taken = Set(messages.compactMap { places[$0.id] })
        let others = entries.indices.filter { !taken.contains($0) }.map { entries[$0] }
        entries = Self.interleave(known, others.sorted { $0.time < $1.time })
    }

    /// Which bubbles some messages are, by place: each message at most one, each bubble at most one.
    private func match(_ messages: [ConversationMessage]) -> [RiffIdentifier: Int] {
        guard !messages.isEmpty else { return [:] }
        var open: [String: [(place: Int, sighting: Sighting)]] = [:]
        for (place, entry) in entries.enumerated() {
            guard let sighting = Sighting(entry, clockTolerance) else { continue }
            open[Self.key(entry.text), default: []].append((place, sighting))
        }
        var matches: [RiffIdentifier: Int] = [:]
        // Bubbles that were answered are on the server for certain and so have the first choice.
        for isCertain in [true, false] {
            for message in messages where matches[message.id] == nil {
                let key = Self.key(message.text)
                let candidates = open[key, default: []].enumerated().filter { candidate in
                    let sighting = candidate.element.sighting
                    return sighting.isCertain == isCertain && sighting.window.contains(message.time)
                }
                let nearest = candidates.min { one, other in
                    one.element.sighting.distance(to: message.time) < other.element.sighting.distance(to: message.time)
                }
                guard let nearest else { continue }
                matches[message.id] = nearest.element.place
                open[key]?.remove(at: nearest.offset)
            }
        }
        return matches
    }

    /// When, by the server's clock, it may have taken the words of a bubble.
    private struct Sighting {
        let isCertain: Bool
        let window: ClosedRange<Double>
        private let tries: ClosedRange<Double>

        /// `nil` for a bubble whose message is known, and for one that did not arrive.
        init?(_ entry: Entry, _ clockTolerance: Duration) {
            guard entry.serverID == nil else { return nil }
            if let answered = entry.answered {
                // Both by the server's clock, so that it does not matter how wrong this device's is.
                (isCertain, window, tries) = (true, (answered - patience)...answered, answered...answered)
                return
            }
            guard entry.state == .sending || entry.mayHaveArrived else { return nil }
            let (seconds, attoseconds) = clockTolerance.components
            let tolerance = Double(seconds) + Double(attoseconds) / 1e18
            (isCertain, tries) = (false, entry.tries)
            window = (tries.lowerBound - tolerance)...(tries.upperBound + patience + tolerance)
        }

        func distance(to time: Double) -> Double { min(abs(time - tries.lowerBound), abs(time - tries.upperBound)) }
    }

    /// Servers may keep words without the space around them.
    private static func key(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// Both by time. At the same time the server's order counts, with what it had before in front, and what it has not
    /// got behind.
    private static func interleave(_ known: [Entry], _ others: [Entry]) -> [Entry] {
        var merged: [Entry] = []
        merged.reserveCapacity(known.count + others.count)
        var rest = others[...]
        for entry in known {
            while let other = rest.first,
                other.time < entry.time || (other.time == entry.time && other.state == .sent)
            {
                merged.append(other)
                rest.removeFirst()
            }
            merged.append(entry)
        }
        return merged + rest
    }
}
