// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation

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
        for await line in lines {
            switch ChatCommand(line) {
            case .say(let text): try await hear { try await $0.ask(text) }
            case .listen(let path): try await hear { try await $0.ask(try await ears.hear(path)) }
            case .resume: try await hear { try await $0.resume() }
            case .listModels: Self.write(try await partner.models().map { $0 + "\n" }.joined())
            case .use(let model): try await partner.use(model: model)
            case .leave: return
            case .choose, .help, nil: break
            }
        }
    }

    /// Writes what is answered while it comes.
    private func hear(_ exchange: (any ChatPartner) async throws -> Void) async throws {
        var written = Written()
        // What stands there already was written when it came.
        _ = written.new(in: await partner.picture())
        let pictures = partner.pictures()
        let writer = Task { [written] in
            var written = written
            for await picture in pictures { Self.write(written.new(in: picture)) }
            return written
        }
        try await exchange(partner)
        writer.cancel()
        written = await writer.value
        let last = await partner.picture()
        Self.write(written.new(in: last) + "\n")
        if let notice = last.notice { throw ExampleFailure(notice) }
    }

    /// How much of each answer was written.
    private struct Written: Sendable {
        private var counts: [Int: Int] = [:]

        mutating func new(in picture: ChatPicture) -> String {
            var text = ""
            for item in picture.items where item.kind == .answer {
                text += String(decoding: item.text.utf8.dropFirst(counts[item.id] ?? 0), as: UTF8.self)
                counts[item.id] = item.text.utf8.count
            }
            return text
        }
    }

    private static func write(_ text: String) {
        // Who reads it may be gone; the next write says so by a signal.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
