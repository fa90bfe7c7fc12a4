// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How good a detector's answers are, over any number of labelled recordings, 10 ms at a time.
struct DetectionFigures {
    private var hits = 0
    private var falseFrames = 0
    private var misses = 0
    private var quietFrames = 0
    private var onsets: [Int] = []
    private var offsets: [Int] = []
    private(set) var segments = 0
    private(set) var missed = 0
    private(set) var bargeIns = 0

    /// Adds one recording, of which a detector gave one probability for each of its frames. An answer is known when its
    /// frame is over: the delays below include that.
    mutating func add(_ audio: LabelledAudio, probabilities: [Float], frameSamples: Int, threshold: Float = 0.5) {
        let labels = audio.isSpeech
        let isOn = labels.indices.map { index in
            probabilities[min(probabilities.count - 1, (index * 160 + 80) / frameSamples)] >= threshold
        }
        let changes = labels.indices.dropFirst().filter { labels[$0] != labels[$0 - 1] }
        var counted = [Bool](repeating: true, count: labels.count)
        // 30 ms on either side of a boundary are nobody's fault.
        for change in changes {
            for index in max(0, change - 3)..<min(labels.count, change + 3) { counted[index] = false }
        }
        for index in labels.indices where counted[index] {
            switch (labels[index], isOn[index]) {
            case (true, true): hits += 1
            case (true, false): misses += 1
            case (false, true): falseFrames += 1
            case (false, false): break
            }
            if !labels[index] { quietFrames += 1 }
        }
        addDelays(labels, isOn, changes, frameSamples: frameSamples)
        addBargeIns(labels, isOn)
    }

    private mutating func addDelays(_ labels: [Bool], _ isOn: [Bool], _ changes: [Int], frameSamples: Int) {
        /// When the answer for a 10 ms stretch was known, in ms.
        func known(_ index: Int) -> Int { ((index * 160 + 80) / frameSamples + 1) * frameSamples / 16 }
        for (place, change) in changes.enumerated() {
            let next = place + 1 < changes.count ? changes[place + 1] : labels.count
            let stretch = change..<next
            if labels[change] {
                segments += 1
                if isOn[change - 1] && isOn[change] {
                    onsets.append(0)
                } else if let first = stretch.first(where: { isOn[$0] }) {
                    onsets.append(known(first) - change * 10)
                } else {
                    missed += 1
                }
            } else {
                // Still on when speech goes on: as late as that.
                offsets.append(stretch.first { !isOn[$0] }.map { known($0) - change * 10 } ?? (next - change) * 10)
            }
        }
    }

    /// 300 ms on end where nobody speaks, from 200 ms after speech, count once.
    private mutating func addBargeIns(_ labels: [Bool], _ isOn: [Bool]) {
        var (run, sinceSpeech) = (0, 1_000)
        for index in labels.indices {
            sinceSpeech = labels[index] ? 0 : sinceSpeech + 1
            run = isOn[index] && sinceSpeech > 20 ? run + 1 : 0
            if run == 30 { bargeIns += 1 }
        }
    }

    var precision: Double { Double(hits) / Double(max(1, hits + falseFrames)) }
    var recall: Double { Double(hits) / Double(max(1, hits + misses)) }
    var f1: Double { Double(2 * hits) / Double(max(1, 2 * hits + falseFrames + misses)) }
    /// Of the stretches in which nobody speaks.
    var falseRate: Double { Double(falseFrames) / Double(max(1, quietFrames)) }
    /// False ones, for a minute in which nobody speaks.
    var bargeInsPerMinute: Double { Double(bargeIns) * 6_000 / Double(max(1, quietFrames)) }

    /// Milliseconds within which a share of the onsets was told; one that was missed is never told.
    func onset(_ share: Double) -> Int {
        DetectionFigures.quantile(onsets + Array(repeating: 9_999, count: missed), share)
    }
    /// Milliseconds within which a share of the ends was told.
    func offset(_ share: Double) -> Int { DetectionFigures.quantile(offsets, share) }

    private static func quantile(_ values: [Int], _ share: Double) -> Int {
        values.isEmpty ? 0 : values.sorted()[min(values.count - 1, Int(Double(values.count) * share))]
    }

    /// One row of the table.
    func row(_ name: String) -> String {
        String(
            format: "%@ F1 %.3f P %.3f R %.3f false %.3f onset %3d/%3d offset %3d/%3d missed %d/%d barge-ins %.1f/min",
            name.padding(toLength: 20, withPad: " ", startingAt: 0),
            f1,
            precision,
            recall,
            falseRate,
            onset(0.5),
            onset(0.9),
            offset(0.5),
            offset(0.9),
            missed,
            segments,
            bargeInsPerMinute
        )
    }
}
