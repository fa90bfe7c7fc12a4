// Riff
// SPDX-License-Identifier: Apache-2.0

/// The progress that a program tells of what it does (OSC 9;4).
public enum ScreenProgress: Sendable, Hashable {
    /// There is none, or no more.
    case ended
    /// Under way, in percent.
    case running(percent: Int)
    /// It failed, or waits because of an error; in percent where the program said so.
    case failed(percent: Int?)
    /// Under way, with unknown progress.
    case unknown
    /// It waits, or warns; in percent where the program said so.
    case paused(percent: Int?)

    /// The numbers of the sequence behind `9;4`; `nil` where they say nothing.
    init?(_ fields: some Collection<Substring>) {
        var fields = fields.makeIterator()
        let state = fields.next() ?? ""
        let number = fields.next() ?? ""
        // More digits than a percentage has are still a number, and the most there is.
        let isNumber = number.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber else { return nil }
        let percent = number.isEmpty ? nil : min(Int(number) ?? 100, 100)
        switch state {
        case "", "0": self = .ended
        case "1": self = .running(percent: percent ?? 0)
        case "2": self = .failed(percent: percent)
        case "3": self = .unknown
        case "4": self = .paused(percent: percent)
        default: return nil
        }
    }
}
