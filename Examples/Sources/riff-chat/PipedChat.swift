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
        var written = Written()
        for await line in lines {
            switch ChatCommand(line) {
            case .say(let text): try await hear(&written) { try await $0.ask(text) }
            case .listen(let path): try await hear(&written) { try await $0.ask(try await ears.hear(path)) }
            case .resume: try await hear(&written) { try await $0.resume() }
            case .listModels: Self.write(try await partner.models().map { $0 + "\n" }.joined())
            case .use(let model): try await partner.use(model: model)
            case .leave: return
            case .choose, .help, nil: break
            }
        }
    }

    /// Writes what is answered while it comes.
    private func hear(_ written: inout Written, _ exchange: (any ChatPartner) async throws -> Void) async throws {
        let pictures = partner.pictures()
        for await picture in pictures {
            // What stands there already was written when it came.
            _ = written.new(in: picture)
            break
        }
        let writer = Task { [before = written] in
            var (written, notice) = (before, nil as String?)
            for await picture in pictures {
                Self.write(written.new(in: picture))
                notice = picture.notice
                // Pictures are not left out: this one has the last piece.
                if !picture.isAnswering { break }
            }
            return (written, notice)
        }
        do { try await exchange(partner) } catch {
            writer.cancel()
            written = await writer.value.0
            throw error
        }
        let notice: String?
        (written, notice) = await writer.value
        Self.write("\n")
        if let notice { throw ExampleFailure(notice) }
    }

    /// How far each answer was written. One that starts over is written from there on.
    private struct Written: Sendable {
        private var places: [Int: (read: Int, written: Int)] = [:]

        mutating func new(in picture: ChatPicture) -> String {
            var text = ""
            for item in picture.items where item.kind == .answer {
                let place = places[item.id] ?? (0, 0)
                let start = item.startsOver ? 0 : place.read
                let end = start + item.more.utf8.count
                text += String(decoding: item.more.utf8.dropFirst(max(0, place.written - start)), as: UTF8.self)
                places[item.id] = (end, max(place.written, end))
            }
            return text
        }
    }

    private static func write(_ text: String) {
        // Who reads it may be gone; the next write says so by a signal.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
