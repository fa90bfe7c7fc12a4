// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A small interactive program that stands in for a coding agent: it edits a line as agents do, and answers.
@main
struct SampleAgent {
    static func main() {
        guard let terminal = Terminal() else {
            print("sample-agent: standard input and output must be a terminal")
            exit(2)
        }
        var agent = SampleAgent(terminal: terminal)
        let status = agent.run()
        terminal.restore()
        exit(status)
    }

    private let terminal: Terminal
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var parser = KeyParser()
    private var burst = PasteBurst()
    private var editor = LineEditor()
    private var view = PromptView()
    private var columns: Int
    private var queue: [String] = []
    private var turn = 0
    private var pieces: [Answer.Piece] = []
    private var nextPiece: Duration?
    /// The answer's line that is still growing.
    private var answer = ""
    /// When an incomplete key sequence is given up.
    private var giveUp: Duration?

    private init(terminal: Terminal) {
        self.terminal = terminal
        start = clock.now
        columns = terminal.size.columns
    }

    private var now: Duration { clock.now - start }

    /// Runs until Ctrl-D, a signal or the terminal's end. Returns the exit status.
    private mutating func run() -> Int32 {
        let signals = SignalPipe.open([SIGWINCH, SIGTERM, SIGHUP, SIGINT])
        terminal.write("\u{1B}[1mRiff sample agent\u{1B}[0m, a stand-in for a coding agent. \"help\" helps.\r\n\r\n")
        redraw()
        while true {
            var descriptors = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&descriptors, 2, timeout)
            for number in SignalPipe.take() {
                guard number == SIGWINCH else {
                    leave("")
                    return 128 + number
                }
                redraw()
            }
            if descriptors[0].revents != 0 {
                guard let bytes = terminal.read() else { return 0 }
                let keys = burst.interpret(parser.feed(bytes), at: now)
                guard handle(keys) else {
                    leave("Bye.")
                    return 0
                }
                giveUp = parser.isWaiting ? now + .milliseconds(50) : nil
            }
            if let giveUp, now >= giveUp {
                self.giveUp = nil
                _ = handle(parser.flush())
            }
            stream()
        }
    }

    /// Milliseconds until something is to be done without a key; -1 means never.
    private var timeout: Int32 {
        guard let next = [nextPiece, giveUp].compactMap({ $0 }).min() else { return -1 }
        let milliseconds = (next - now) / Duration.milliseconds(1)
        return Int32(max(0, milliseconds.rounded(.up)))
    }

    private mutating func handle(_ keys: [Key]) -> Bool {
        for key in keys {
            switch editor.handle(key) {
            case .none: break
            case .redraw: terminal.write("\u{1B}[2J\u{1B}[H")
            case .leave: return false
            case .interrupt:
                if nextPiece == nil { commit("(Ctrl-D leaves.)\n") } else { stopAnswering() }
            case .submit(let line):
                commit("\u{1B}[1;36m>\u{1B}[0m " + line.replacing("\n", with: "\n  ") + "\n")
                queue.append(line)
                startNext()
            }
        }
        if !keys.isEmpty { redraw() }
        return true
    }

    // MARK: Answering

    private mutating func startNext() {
        guard nextPiece == nil, !queue.isEmpty else { return }
        turn += 1
        let size = terminal.size
        pieces = Answer.pieces(to: queue.removeFirst(), turn: turn, columns: size.columns, rows: size.rows).reversed()
        nextPiece = pieces.last.map { now + $0.delay }
    }

    private mutating func stopAnswering() {
        pieces = []
        nextPiece = nil
        let rest = answer.isEmpty ? "" : answer + "\n"
        answer = ""
        commit(rest + "(Interrupted.)\n")
        startNext()
    }

    /// Says what is due.
    private mutating func stream() {
        var changed = false
        while let due = nextPiece, due <= now, let piece = pieces.popLast() {
            answer += piece.text
            changed = true
            if answer.hasSuffix("\n") {
                commit(answer)
                answer = ""
            }
            nextPiece = pieces.last.map { due + $0.delay }
        }
        if changed {
            startNext()
            redraw()
        }
    }

    // MARK: The screen

    /// Puts text above the prompt for good.
    private mutating func commit(_ text: String) {
        terminal.write(view.erase(columns: columns) + text.replacing("\n", with: "\r\n"))
    }

    private mutating func redraw() {
        columns = terminal.size.columns
        terminal.write(view.erase(columns: columns) + view.draw(answer: answer, editor: editor, columns: columns))
    }

    private mutating func leave(_ word: String) {
        terminal.write(view.erase(columns: columns) + (word.isEmpty ? "" : word + "\r\n"))
    }
}
