// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport

/// The nine steps in their order, and the cleaning up after them.
@MainActor
final class Demo {
    /// What the person chose.
    struct Choices: Sendable {
        let isInteractive: Bool
        let speechURL: String?
        let picturePath: String?
    }

    private let choices: Choices
    private let checklist = Checklist(total: 9)
    private let site = Site()

    init(_ choices: Choices) { self.choices = choices }

    /// Runs everything. Returns the exit status: 0, 1 for a failure, 3 where a step could not be shown. Nothing is left
    /// of the demo then, also where its task was cancelled.
    func run() async -> Int32 {
        var status: Int32 = 0
        do {
            try await show()
            status = checklist.hasGap ? 3 : 0
        } catch {
            // The step's line has said what failed; a cancelled one, that it was stopped.
            status = 1
        }
        // A task of its own: cleaning up is not cancelled with the work.
        await Task { [site] in await site.close() }.value
        return status
    }

    private func show() async throws {
        var timings = Timings()
        try await checklist.step("a throw-away host") { try await site.open() }
        guard
            let host = try await checklist.step(
                "authorizing a new key",
                { try await FirstContact.show(site, &timings) }
            )
        else { return }
        try await checklist.step("the host's key") { try await PinnedKey.show(site, host) }
        guard let desk = try await checklist.step("the session", { try await Desk.open(site, host, &timings) })
        else { return }
        let dictated: Void? = try await checklist.step("dictation") {
            try await DictatedSentence.show(site, desk, speechURL: choices.speechURL, &timings)
        }
        if let path = choices.picturePath { try Console.save(try await desk.picture(), to: path) }
        try await checklist.step("a cut network") { try await NetworkCut.show(site, desk, &timings) }
        try await checklist.step("a changed host key") { try await ChangedHostKey.show(site, desk) }
        try await checklist.step("a second session") { try await SecondSession.show(site, desk, &timings) }
        try await checklist.step("the summary") { ((), try timings.summary(isSpeechShown: dictated != nil)) }
        if choices.isInteractive {
            Console.note("Your terminal is the session's now. Ctrl-] leaves.")
            try await Handover.run(desk, site)
            Console.note("Back. What the demo started is being ended.")
        }
    }
}
