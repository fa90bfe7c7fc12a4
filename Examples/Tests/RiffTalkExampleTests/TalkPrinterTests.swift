// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import ExampleTesting
import RiffAgents
import RiffTalk
import Synchronization
import Testing

import riff_talk

struct TalkPrinterTests {
    /// What was written, in one.
    private final class Written: Sendable {
        private let text = Mutex("")
        var bytes: [UInt8] { text.withLock { Array($0.utf8) } }
        func add(_ more: HarmlessText) { text.withLock { $0 += more.text } }
    }

    @Test(arguments: [true, false])
    func `nothing that was recognized is obeyed, or is a line of its own`(isTerminal: Bool) {
        let written = Written()
        let printer = TalkPrinter(isTerminal: isTerminal) { written.add($0) }
        var snapshot = ConversationSnapshot()
        snapshot.phase = .recognizing
        snapshot.heard = HostileWords.text
        printer.show(snapshot)
        #expect(written.bytes.foreign(to: isTerminal ? .drawing : .pipe) == [])
        let lines = String(decoding: written.bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count == 3 && lines.last?.isEmpty == true, "\(lines)")
        #expect(lines[1].contains("  \"\(HostileWords.left)"))
    }

    @Test(arguments: [true, false])
    func `an agent's state is a line of harmless words`(isTerminal: Bool) {
        let written = Written()
        let printer = TalkPrinter(isTerminal: isTerminal) { written.add($0) }
        printer.show(.failed(HostileWords.text))
        #expect(written.bytes.foreign(to: isTerminal ? .drawing : .pipe) == [])
        let text = String(decoding: written.bytes, as: UTF8.self)
        #expect(text.contains("agent: failed: ") && text.split(separator: "\n").count == 1)
    }
}
