// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal

/// A conversation where nobody looks: each line of the input is asked, and the answers are written as they come, as the
/// markdown that they are.
struct PipedChat {
    let partner: any ChatPartner
    let ears: Ears

    /// Talks until the input ends.
    ///
    /// - Throws: What went wrong with an answer: nothing is asked after it.
    func run() async throws {
        let (lines, feed) = AsyncStream.makeStream(of: String.self)
        let input = InputLines { if let line = $0 { feed.yield(line) } else { feed.finish() } }
        defer { input.stop() }
        let interrupts = Interrupts { Task { [partner] in await partner.cut() } }
        defer { interrupts.stop() }
        var writer = AnswerWriter()
        for await line in lines {
            switch ChatCommand(line) {
            case .say(let text): try await hear(&writer) { try await $0.ask(text) }
            case .listen(let path): try await hear(&writer) { try await $0.ask(try await ears.hear(path)) }
            case .resume: try await hear(&writer) { try await $0.resume() }
            case .listModels: Printing.write(try await partner.models().map { "\($0)\n" as HarmlessText }.joined())
            case .use(let model): try await partner.use(model: model)
            case .leave: return
            case .choose, .help, nil: break
            }
        }
    }

    /// Writes what is answered while it comes.
    private func hear(_ writer: inout AnswerWriter, _ exchange: (any ChatPartner) async throws -> Void) async throws {
        let notice = try await writer.follow(partner.pictures, write: Self.write) { try await exchange(partner) }
        Self.write("\n")
        if let notice { throw ExampleFailure(notice) }
    }

    @Sendable private static func write(_ text: String) {
        Printing.write(HarmlessText(text))
    }
}
