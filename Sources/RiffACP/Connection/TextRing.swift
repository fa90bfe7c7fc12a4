// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The last lines that a program wrote beside its messages, without their control characters.
final class TextRing: Sendable {
    private struct State {
        var lines: [String] = []
        var framer = LineFramer(limit: 64 * 1024)
    }

    private let state = Mutex(State())
    private let lineLimit: Int
    /// Told when nothing more comes.
    let ended = EventualValue<Void>()

    init(lines: Int = 50) { lineLimit = lines }

    /// Takes a chunk of a stream of lines.
    func add(_ chunk: [UInt8]) { state.withLock { state in keep(state.framer.push(chunk), &state) } }

    /// Takes one line.
    func add(line: ArraySlice<UInt8>) { state.withLock { keep([.line(line)], &$0) } }

    /// Takes what is left of a last line without an end; nothing comes any more.
    func finish() {
        state.withLock { state in keep(state.framer.finish().map { [$0] } ?? [], &state) }
        ended.resolve(())
    }

    private func keep(_ frames: [ACPFrame], _ state: inout State) {
        for frame in frames.suffix(lineLimit) {
            let text: String
            switch frame {
            case .line(let line), .unfinished(let line):
                text = InertText.line(String(decoding: line.prefix(2048), as: UTF8.self))
            case .overlong(let bytes): text = "(a line of \(bytes) bytes)"
            }
            guard !text.isEmpty else { continue }
            if state.lines.count >= lineLimit { state.lines.removeFirst() }
            state.lines.append(text)
        }
    }

    /// The lines, oldest first.
    var lines: [String] { state.withLock(\.lines) }
}
