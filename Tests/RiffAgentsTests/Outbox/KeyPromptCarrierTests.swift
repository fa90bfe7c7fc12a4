// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffShare
import RiffTesting
import Synchronization
import Testing

/// A terminal with an agent in it: bytes go into its composer, and Return submits what stands there.
private actor ComposerAgent {
    struct Cut: Error {}
    let record = MemoryRecord([])
    private var composer = ""
    private(set) var taken: [String] = []
    private(set) var returnsIntoDialog = 0
    var hasDialog = false
    /// The connection ends before this byte of the paste and its Return; none if `nil`.
    var cut: Int?
    /// Whether the Return is taken and not written down.
    var forgets = false

    func set(cut: Int? = nil, hasDialog: Bool = false, forgets: Bool = false) {
        self.cut = cut
        self.hasDialog = hasDialog
        self.forgets = forgets
    }

    var readiness: PromptReadiness {
        hasDialog ? .notNow("A dialog.") : composer.isEmpty ? .ready : .notNow("Words stand in the composer.")
    }

    func clear() { composer = "" }

    func submit(_ text: String, _ commit: @Sendable () async throws -> Void) async throws -> PromptVerdict {
        guard readiness == .ready else { return .notSent("It is not ready.") }
        let bytes = Array(text.utf8)
        if let cut, cut < bytes.count {
            composer = String(decoding: bytes[..<cut], as: UTF8.self)
            throw Cut()
        }
        composer = text
        guard !hasDialog else { return .notSent("A dialog opened.") }
        try await commit()
        if cut == bytes.count { throw Cut() }
        if hasDialog { returnsIntoDialog += 1 }
        taken.append(composer)
        if !forgets { await record.add(PromptLookoutTests.claude(composer)) }
        composer = ""
        // The answer to the Return is lost.
        if cut == bytes.count + 1 { throw Cut() }
        return .received(turn: "")
    }
}

struct KeyPromptCarrierTests {
    private static func make(_ agent: ComposerAgent, clock: any Clock<Duration> = ContinuousClock()) -> KeyPromptCarrier
    {
        KeyPromptCarrier(to: .claude, record: agent.record, clock: clock) {
            await agent.readiness
        } submit: { text, commit in
            try await agent.submit(text, commit)
        }
    }

    @Test(arguments: PromptCarrierConformance.all)
    func `it keeps the rules of a carrier`(check: ConformanceCheck<PromptCarrierConformance>) async throws {
        try await check.run(
            PromptCarrierConformance {
                let agent = ComposerAgent()
                return .init(Self.make(agent)) { await agent.taken }
            }
        )
    }

    @Test func `a cut at each byte of the hand-over ends in what is true`() async throws {
        let text = "fix é\nnow"
        for cut in 0...(text.utf8.count + 1) {
            let agent = ComposerAgent()
            let carrier = Self.make(agent)
            await agent.set(cut: cut)
            let prompt = OutgoingPrompt(id: .random(), text: text)
            let mark = try await carrier.mark()
            let commits = Mutex(0)
            await #expect(throws: ComposerAgent.Cut.self) {
                _ = try await carrier.handOver(prompt) { commits.withLock { $0 += 1 } }
            }
            let isTaken = await !agent.taken.isEmpty
            #expect(commits.withLock { $0 } == (cut >= text.utf8.count ? 1 : 0), "cut at \(cut)")
            #expect(isTaken == (cut == text.utf8.count + 1))
            let look = try await carrier.look(for: prompt, since: mark)
            #expect(look == (isTaken ? .received(turn: "p1") : .absent), "cut at \(cut)")
            // What stands in the composer keeps everything else out.
            if cut > 0, cut <= text.utf8.count { #expect(try await carrier.readiness() != .ready) }
        }
    }

    @Test func `control characters are not typed, and the receipt is found all the same`() async throws {
        let agent = ComposerAgent()
        let carrier = Self.make(agent)
        let prompt = OutgoingPrompt(id: .random(), text: "one\u{1B}[201~\u{3}two\nthree")
        #expect(try await carrier.handOver(prompt) {} == .received(turn: "p1"))
        let typed = try #require(await agent.taken.first)
        #expect(!typed.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(try await carrier.look(for: prompt, since: "0 one.jsonl") == .received(turn: "p1"))
        let nothing = OutgoingPrompt(id: .random(), text: "\u{1B}\u{3}")
        guard case .refused = try await carrier.handOver(nothing, commit: {}) else {
            Issue.record("nothing was typed")
            return
        }
    }

    @Test func `keys that were taken without a line of the record are uncertain`() async throws {
        let agent = ComposerAgent()
        await agent.set(forgets: true)
        let carrier = Self.make(agent, clock: ManualClock(advancesItself: true))
        let verdict = try await carrier.handOver(OutgoingPrompt(id: .random(), text: "x")) {}
        guard case .uncertain = verdict else {
            Issue.record("it was called received")
            return
        }
    }

    @Test func `with a dialog, or an agent whose records are not known, nothing is typed`() async throws {
        let agent = ComposerAgent()
        await agent.set(hasDialog: true)
        #expect(try await Self.make(agent).readiness() == .notNow("A dialog."))
        let other = KeyPromptCarrier(to: .generic, record: agent.record) {
            .ready
        } submit: { text, commit in
            try await agent.submit(text, commit)
        }
        guard case .never = try await other.readiness() else {
            Issue.record("it takes prompts")
            return
        }
    }
}
