// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import RiffMarkdown

/// Measures the markdown engine in CPU seconds, because wall time says little on a shared machine.
///
///     markdown-bench answers FOLDER    fifty kilobytes and a megabyte of answers, in pieces of four characters
///     markdown-bench shapes            how the time grows from 50 KB to 200 KB
///     markdown-bench memory FOLDER     what the engine keeps of four megabytes of answers, beside the text
///     markdown-bench adversarial       a megabyte of each thing that is made to take time, and of it for a terminal
///     markdown-bench serve             answers scripts that compare with cmark-gfm
@main
struct MarkdownBench {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "answers": try answers(arguments.last ?? ".")
        case "shapes": shapes(only: arguments.dropFirst().first)
        case "memory": try memory(arguments.last ?? ".")
        case "adversarial":
            let size = arguments.dropFirst().first.flatMap { Int($0) }
            adversarial(
                size ?? 1_000_000,
                only: size == nil ? arguments.dropFirst().first : arguments.dropFirst(2).first
            )
        case "serve": Peer.serve()
        default: print("markdown-bench answers FOLDER | shapes | adversarial | serve")
        }
    }

    static func answers(_ folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted()
        let all = try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined(
            separator: "\n\n"
        )
        for size in [12_500, 25_000, 50_000, 200_000, 1_000_000] {
            let text = Shapes.repeated(all, size + all.utf8.count - 1)
            let cut = String(decoding: text.utf8.prefix(size), as: UTF8.self)
            for draws in [false, true] {
                let run = Run(cut, draws: draws)
                print(
                    "answers \(size) B, \(draws ? "each tail drawn" : "no tail"): \(run.seconds.shown) s in \(run.chunks) chunks,",
                    "mean \((run.seconds / Double(run.chunks) * 1e6).shown) µs, p99 \(run.p99.shown) µs, worst \(run.worst.shown) µs,",
                    "html \(run.htmlBytes) B drawn"
                )
            }
        }
        for text in [Shapes.repeated(all, 1_000_000)] {
            let start = cpuSeconds()
            var stream = MarkdownStream()
            let blocks = stream.append(text).committed + stream.finish().committed
            let parsed = cpuSeconds()
            let html = blocks.reduce(0) { $0 + MarkdownHTML().bytes(of: $1.root).count }
            print("1 MB at once: \((parsed - start).shown) s, html \((cpuSeconds() - parsed).shown) s, \(html) B")
        }
    }

    /// The peak of memory beside the text itself, with all blocks kept.
    static func memory(_ folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted()
        let all = try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined(
            separator: "\n\n"
        )
        let text = Array(Shapes.repeated(all, 4_000_000).utf8)
        let before = peakBytes()
        var stream = MarkdownStream()
        var blocks: [MarkdownBlock] = []
        for start in stride(from: 0, to: text.count, by: 16) {
            blocks += stream.append(bytes: text[start..<min(start + 16, text.count)]).committed
        }
        blocks += stream.finish().committed
        let share = Double(peakBytes() - before) / Double(text.count)
        print("\(text.count) B in \(blocks.count) blocks: \(share.shown) times the text")
    }

    private static func peakBytes() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }

    /// Five rounds of both sizes in turn: the ratio is that of the least of each, beside those of single rounds.
    static func shapes(only: String?) {
        for (name, make) in Shapes.plausible where only == nil || only == name {
            let (small, large) = (make(50_000), make(200_000))
            var (times, ratios) = ([Double.infinity, .infinity], [Double]())
            for _ in 0..<5 {
                let round = [Run(small, draws: true).seconds, Run(large, draws: true).seconds]
                times = [min(times[0], round[0]), min(times[1], round[1])]
                ratios.append(round[1] / round[0])
            }
            let (least, most) = (ratios.min() ?? 0, ratios.max() ?? 0)
            print(
                "\(name): \(times[0].shown) s, \(times[1].shown) s, ratio \((times[1] / times[0]).shown)",
                "(rounds: \(least.shown) to \(most.shown))"
            )
        }
    }

    static func adversarial(_ size: Int, only: String?) {
        for (name, make) in Shapes.adversarial where only == nil || only == name {
            var (times, terminal): ([Double], [Double]) = ([], [])
            for size in [size / 4, size] {
                let text = make(size)
                let start = cpuSeconds()
                var stream = MarkdownStream(extensions: [.gitHub, .math, .footnotes])
                var blocks: [MarkdownBlock] = []
                func take(_ update: MarkdownUpdate) {
                    blocks += update.committed
                    for amendment in update.amended { blocks[amendment.block.id] = amendment.block }
                }
                var place = text.utf8.startIndex
                while place < text.utf8.endIndex {
                    let end =
                        text.utf8.index(place, offsetBy: 16_384, limitedBy: text.utf8.endIndex) ?? text.utf8.endIndex
                    take(stream.append(bytes: text.utf8[place..<end]))
                    place = end
                }
                take(stream.finish())
                for block in blocks { _ = MarkdownHTML.exact().bytes(of: block.root) }
                let read = cpuSeconds()
                times.append(read - start)
                for block in blocks { _ = MarkdownANSI().text(of: block) }
                terminal.append(cpuSeconds() - read)
            }
            let isSlow = [times, terminal].contains { $0[1] > 0.5 || ($0[1] > 0.05 && $0[1] / $0[0] > 6) }
            print(
                "\(name.debugDescription): \(times[0].shown) s, \(times[1].shown) s, ratio \((times[1] / times[0]).shown);",
                "terminal \(terminal[0].shown) s, \(terminal[1].shown) s\(isSlow ? "  <--" : "")"
            )
        }
    }
}

/// A text in pieces of four characters.
struct Run {
    var seconds = 0.0
    var chunks = 0
    var p99 = 0.0
    var worst = 0.0
    var htmlBytes = 0

    init(_ text: String, draws: Bool) {
        var pieces: [String] = []
        var place = text.startIndex
        while place < text.endIndex {
            let end = text.index(place, offsetBy: 4, limitedBy: text.endIndex) ?? text.endIndex
            pieces.append(String(text[place..<end]))
            place = end
        }
        chunks = pieces.count
        var times: [Double] = []
        times.reserveCapacity(chunks)
        let renderer = MarkdownHTML()
        var stream = MarkdownStream()
        var drawn: MarkdownTail?
        let start = cpuSeconds()
        var last = start
        for piece in pieces {
            let update = stream.append(piece)
            for block in update.committed { htmlBytes += renderer.bytes(of: block.root).count }
            if draws {
                let tail = stream.tail(since: drawn)
                htmlBytes += renderer.bytes(of: tail.root).count
                drawn = tail
            }
            let now = cpuSeconds()
            times.append((now - last) * 1e6)
            last = now
        }
        for block in stream.finish().committed { htmlBytes += renderer.bytes(of: block.root).count }
        seconds = cpuSeconds() - start
        times.sort()
        p99 = times[times.count * 99 / 100]
        worst = times[times.count - 1]
    }
}

func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension Double {
    var shown: String { String(format: "%.4g", self) }
}
