// Riff
// SPDX-License-Identifier: Apache-2.0

/// The origins of leaves' text: runs of text that the source has unchanged.
///
/// A leaf's text is its lines without what containers and indentation put in front, so each line is a run. Both
/// columns grow.
struct SourceMap: Sendable {
    struct Run: Sendable {
        var text: UInt32
        var source: UInt32
    }

    private(set) var runs: [Run] = []

    /// Tells where the text from a place on comes from. Places come in order.
    mutating func add(text: Int, source: Int) {
        let run = Run(text: UInt32(clamping: text), source: UInt32(clamping: source))
        if let last = runs.last, last.text == run.text {
            runs[runs.count - 1] = run
        } else {
            runs.append(run)
        }
    }

    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    /// Returns the origin of a range of the text: the range starts at 0, and the source at a place of it.
    func part(_ range: Range<Int>, sourceStart: Int) -> SourceMap {
        var part = SourceMap()
        let first = min(index(of: range.lowerBound), runs.count)
        // The run behind the range says where its last one ends: U+0000 is one byte of the source and three of the
        // text.
        for run in runs[first...].prefix(while: { Int($0.text) <= range.upperBound }) {
            let skipped = max(range.lowerBound - Int(run.text), 0)
            let text = max(Int(run.text) - range.lowerBound, 0)
            part.add(text: text, source: Int(run.source) + skipped - sourceStart)
        }
        return part
    }

    /// The index of the run that holds a place of the text.
    func index(of text: Int) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(runs[middle].text) <= text { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }

    /// Looks up places that come in order.
    struct Cursor {
        private let runs: [Run]
        private var index: Int

        init(_ map: SourceMap, from text: Int) {
            runs = map.runs
            index = map.index(of: text)
        }

        /// The source's place of a place in the text.
        mutating func source(of text: Int) -> Int {
            guard index < runs.count else { return 0 }
            while index + 1 < runs.count, Int(runs[index + 1].text) <= text { index += 1 }
            let start = Int(runs[index].source)
            let source = start + max(text - Int(runs[index].text), 0)
            // Text that is longer than its source, such as the rest of a tab, is where that is.
            return index + 1 < runs.count ? min(source, max(Int(runs[index + 1].source) - 1, start)) : source
        }

        /// Whether a run starts at a place in the text.
        mutating func startsRun(at text: Int) -> Bool {
            while index + 1 < runs.count, Int(runs[index + 1].text) <= text { index += 1 }
            return index < runs.count && Int(runs[index].text) == text
        }

        /// The source's place behind a place in the text: the end of the byte before, not the next run's start.
        mutating func source(ofEnd text: Int) -> Int { text > 0 ? source(of: text - 1) + 1 : source(of: 0) }
    }
}
