// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice

/// A set of ends of utterances, of `Fixtures/endings`, and how they are judged.
struct EndingSet {
    /// An utterance, and what people would say of it.
    struct Ending {
        let isWhole: Bool
        let isEasy: Bool
        let text: String
    }

    /// Shares of the set, from 0 to 1.
    struct Figures: CustomStringConvertible {
        /// Of all, those judged as people would.
        let accuracy: Double
        /// Of those that go on, those judged whole; `easy`: of the easy ones.
        let falseCutOff: Double
        let easyFalseCutOff: Double
        /// Of those that are whole, those judged as going on.
        let needlessWait: Double

        var description: String {
            "accuracy \(accuracy), false cut-off \(falseCutOff), of easy ones \(easyFalseCutOff), "
                + "needless wait \(needlessWait)"
        }
    }

    let endings: [Ending]

    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/endings")
        let text = try String(contentsOf: folder.appending(path: "\(name).tsv"), encoding: .utf8)
        endings = text.split(separator: "\n").map { line in
            let columns = line.split(separator: "\t").map(String.init)
            return Ending(isWhole: columns[1] == "1", isEasy: columns[2] == "easy", text: columns[4])
        }
    }

    func figures(_ judge: UtteranceCompleteness) -> Figures {
        let judged = endings.map { (ending: $0, isWhole: judge.verdict(on: $0.text) == .complete) }
        func share(_ matches: (Ending, Bool) -> Bool, among: (Ending) -> Bool) -> Double {
            let all = judged.filter { among($0.ending) }
            guard !all.isEmpty else { return 0 }
            return (1000 * Double(all.count { matches($0.ending, $0.isWhole) }) / Double(all.count)).rounded() / 1000
        }
        return Figures(
            accuracy: share({ $0.isWhole == $1 }, among: { _ in true }),
            falseCutOff: share({ $1 }, among: { !$0.isWhole }),
            easyFalseCutOff: share({ $1 }, among: { !$0.isWhole && $0.isEasy }),
            needlessWait: share({ !$1 }, among: { $0.isWhole })
        )
    }
}
