// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct ManagementOutputParserTests {
    private let command: ManagementCommand
    private var begin: String { "\n__RIFF_BOF__ \(command.nonce)\n" }
    private func end(_ status: String) -> String { "\n__RIFF_EOF__ \(command.nonce) \(status)\n" }

    init() throws { command = try ManagementCommand("true") }

    /// The outcome as text, the same whether the bytes come at once, one by one, or in two pieces split anywhere.
    private func outcome(
        _ text: String,
        limit: Int = 1 << 20,
        at end: ManagementOutputParser.End = .closed
    ) -> String {
        let bytes = Array(text.utf8)
        var whole = ManagementOutputParser(command, outputLimit: limit)
        whole.feed(bytes)
        let expected = "\(whole.outcome(at: end))"
        for split in 0...bytes.count {
            var parser = ManagementOutputParser(command, outputLimit: limit)
            parser.feed(bytes[..<split])
            parser.feed(bytes[split...])
            #expect("\(parser.outcome(at: end))" == expected, "split at \(split)")
        }
        var single = ManagementOutputParser(command, outputLimit: limit)
        for byte in bytes { single.feed(CollectionOfOne(byte)) }
        #expect("\(single.outcome(at: end))" == expected)
        return expected
    }

    private func output(_ text: String, _ status: Int) -> String {
        "\(ManagementOutcome.output(Array(text.utf8), status: status))"
    }

    @Test func `what stands between the markers is the output`() {
        #expect(outcome("motd" + begin + "one\ntwo\n" + end("0")) == output("one\ntwo\n", 0))
        #expect(outcome(begin + end("0")) == output("", 0))
        #expect(outcome(begin + "\n" + end("1")) == output("\n", 1))
        #expect(outcome(begin + "x" + end("255") + "logout\n" + end("9")) == output("x", 255))
    }

    @Test func `a marker that is not the whole line does not end the output`() {
        let mid = "a __RIFF_EOF__ \(command.nonce) 0\n"
        let other = "__RIFF_EOF__ 00000000000000000000000000000000 0\n"
        let open =
            "__RIFF_EOF__ \(command.nonce) x\n__RIFF_EOF__ \(command.nonce) \n__RIFF_EOF__ \(command.nonce) 1234\n"
        #expect(outcome(begin + mid + other + open + end("5")) == output(mid + other + open, 5))
        #expect(outcome("x" + begin.dropFirst() + "not begun" + end("0")) == "\(ManagementOutcome.closedEmpty)")
    }

    @Test func `the ways to have no output are told apart`() {
        #expect(outcome("") == "\(ManagementOutcome.closedEmpty)")
        #expect(outcome("chatter\n") == "\(ManagementOutcome.closedEmpty)")
        #expect(outcome(begin) == "\(ManagementOutcome.closedEmpty)")
        #expect(outcome("", at: .timedOut) == "\(ManagementOutcome.timeout(partial: []))")
        #expect(outcome(begin + "half", at: .timedOut) == "\(ManagementOutcome.timeout(partial: Array("half".utf8)))")
        #expect(outcome(begin + "half") == "\(ManagementOutcome.closedEarly(partial: Array("half".utf8)))")
        #expect(outcome(begin + end("0"), at: .timedOut) == output("", 0))
    }

    @Test func `more output than allowed is an outcome and takes no memory`() {
        #expect(outcome(begin + "12345" + end("0"), limit: 5) == output("12345", 0))
        #expect(outcome(begin + "123456" + end("0"), limit: 5) == "\(ManagementOutcome.outputTooLarge(limit: 5))")
        var parser = ManagementOutputParser(command, outputLimit: 10)
        parser.feed(Array((begin + String(repeating: "y", count: 10_000)).utf8))
        #expect(parser.isComplete)
    }

    @Test func `a refused shell is found among chatter`() {
        let text = "welcome\n\n__RIFF_UNSUPPORTED_SHELL__ /bin/tcsh\n"
        #expect(outcome(text) == "\(ManagementOutcome.unsupportedShell(UnsupportedShell(path: "/bin/tcsh")))")
    }

    @Test func `it is complete with the end marker and not before`() {
        var parser = ManagementOutputParser(command)
        parser.feed(Array((begin + end("0").dropLast()).utf8))
        #expect(!parser.isComplete)
        parser.feed([0x0A])
        #expect(parser.isComplete)
    }

    @Test func `outcomes become errors for a person`() throws {
        let result = try ManagementOutcome.output([1], status: 2).get(host: "box")
        #expect(result.output == [1])
        #expect(result.status == 2)
        let table: [(ManagementOutcome, CoreError.Code)] = [
            (.timeout(partial: []), .managementTimeout), (.closedEmpty, .managementClosed),
            (.closedEarly(partial: []), .managementClosed), (.outputTooLarge(limit: 9), .managementOutputTooLarge),
            (.unsupportedShell(UnsupportedShell(path: "/bin/csh")), .unsupportedShell),
            (.connect(CoreError(.invalidHost, "box")), .invalidHost),
        ]
        for (outcome, code) in table {
            let error = #expect(throws: CoreError.self) { try outcome.get(host: "box") }
            #expect(error?.code == code)
            #expect(error?.message.contains("box") == true)
        }
    }
}
