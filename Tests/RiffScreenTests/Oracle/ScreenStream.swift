// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting

/// What a terminal is given: bytes and sizes.
struct ScreenStream: Sendable, CustomStringConvertible {
    enum Step: Sendable {
        case feed([UInt8])
        case resize(TerminalSize)
    }

    var size: TerminalSize
    var steps: [Step]

    var description: String {
        let steps = steps.map { step in
            switch step {
            case .feed(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
            case .resize(let size): "\(size.columns)x\(size.rows)"
            }
        }
        return "\(size.columns)x\(size.rows): " + steps.joined(separator: ", ")
    }
}

/// Makes streams at random that hold what programs send, and what none would: every sequence that tmux knows, with
/// parameters at and beyond the edges, wide and combining characters, bytes that are no UTF-8, and resizes. What is not
/// in them is in ``KnownDifference``.
struct StreamMaker {
    private var generator: SeededGenerator
    private var columns = 80
    private var rows = 24
    private var isAlternate = false
    private var isAlternateResized = false

    private static let words = [
        "hello", "wörld", "日本語", "https://a.b/c", "e\u{301}", "naïve", "🇩🇪", "a\u{300}\u{301}b", "한국", "✓", "❤\u{FE0F}",
        "→",
        "\u{200B}", "ｆｕｌｌ", "ไทย", "नमस्ते", "\u{AD}", "🤦🏽",
    ]
    private static let malformed: [[UInt8]] = [
        [0xE3, 0x81, 0x61], [0xE3, 0x61], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC3, 0x1B, 0x5B, 0x6D, 0xA9],
        [0x80],
        [0xFF, 0xC0, 0xBF], [0xE3, 0xC3, 0xA9],
    ]

    static func stream(_ seed: UInt64) -> ScreenStream {
        var maker = StreamMaker(generator: SeededGenerator(seed: seed))
        return maker.stream()
    }

    private mutating func stream() -> ScreenStream {
        if !chance(10) { (columns, rows) = (number(2...24), number(2...10)) }
        let size = TerminalSize(columns: columns, rows: rows)
        var steps: [ScreenStream.Step] = []
        for _ in 0..<number(1...4) {
            steps.append(.feed((0..<number(1...40)).flatMap { _ in piece() }))
            guard chance(35) else { continue }
            let new = (max(2, columns + number(-8...8)), max(2, rows + number(-4...4)))
            if !chance(30) {
                if isAlternate, columns != new.0 { isAlternateResized = true }
                columns = new.0
            }
            if !chance(20) { rows = new.1 }
            steps.append(.resize(TerminalSize(columns: columns, rows: rows)))
        }
        return ScreenStream(size: size, steps: steps)
    }

    private mutating func piece() -> [UInt8] {
        switch number(0...99) {
        case ..<30:
            let letters = Array("abcdefgh ijkl.XYZ ()[]0123".utf8)
            return (0..<number(1...max(2, columns))).map { _ in pick(letters) }
        case ..<42: return Array(pick(Self.words).utf8)
        case ..<52:
            return chance(10)
                ? [control()] : Array(pick(["\r\n", "\n", "\r", "\u{8}", "\t", "\u{B}", "\u{E}", "\u{F}"]).utf8)
        case ..<62: return graphics()
        case ..<72: return sequence("\(parameter(rows));\(parameter(columns))H")
        case ..<86: return editing()
        case ..<92: return mode()
        case ..<95:
            return Array(("\u{1B}" + pick(["7", "8", "D", "E", "M", "H", "c", "#8", "(0", "(B", ")0", "=", ">"])).utf8)
        case 95: return sequence("\(pick([4, 4, 34]))\(pick(["h", "l"]))")
        case 96: return sequence(pick(["s", "u"]))
        case 97:
            return Array(
                pick([
                    "\u{1B}]0;t\u{7}", "\u{1B}]8;;http://x\u{1B}\\", "\u{1B}Pq\u{1B}\\", "\u{1B}_x\u{1B}\\",
                    "\u{1B}kt\u{1B}\\", "\u{1B}]4;1;?\u{7}",
                ]).utf8
            )
        case 98: return pick(Self.malformed)
        default:
            let middle = Array("0123456789;:?<>$\"'".utf8)
            let finals = Array("@ABCDEFGHJKLMPSTXZ`bdfgrmnqhl".utf8)
            return sequence("") + (0..<number(1...6)).map { _ in pick(middle) } + [pick(finals)]
        }
    }

    /// A control character but the one that begins sequences.
    private mutating func control() -> UInt8 {
        let byte = UInt8(number(0...31))
        return byte == 0x1B ? 0 : byte
    }

    private mutating func editing() -> [UInt8] {
        let final = pick(Array("@ABCDEFGHJKLMPSTXZ`bdfgr"))
        switch final {
        case "r": return sequence("\(parameter(rows));\(parameter(rows))r")
        case "J": return sequence("\(number(0...3))J")
        case "K": return sequence("\(number(0...2))K")
        default: return sequence("\(parameter(max(columns, rows)))\(final)")
        }
    }

    private mutating func mode() -> [UInt8] {
        let mode = pick([6, 7, 7, 25, 1, 1049, 1049, 47, 1047, 3, 2004, 1000])
        var isOn = !chance(33)
        if [47, 1047, 1049].contains(mode) {
            if isAlternateResized { isOn = true }
            isAlternate = isOn
        }
        return sequence("?\(mode)\(isOn ? "h" : "l")")
    }

    private mutating func graphics() -> [UInt8] {
        let plain = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23, 24, 25, 27, 28, 29, 53, 55, 39, 49]
        let parameters = (0..<number(0...4)).map { _ in
            let target = pick([38, 48])
            let (red, green, blue) = (number(0...255), number(0...255), number(0...255))
            switch number(0...99) {
            case ..<40: return "\(pick(plain))"
            case ..<60: return "\(pick([30, 40, 90, 100]) + number(0...7))"
            case ..<70: return "\(target);5;\(red)"
            case ..<80: return "\(target);2;\(red);\(green);\(blue)"
            case ..<85: return "\(target):2::\(red):\(green):\(blue)"
            case ..<90: return "\(target):2:\(red):\(green):\(blue)"
            case ..<95: return "\(target):5:\(red)"
            default: return "4:\(number(0...5))"
            }
        }
        return sequence(parameters.joined(separator: ";") + "m")
    }

    private mutating func parameter(_ most: Int) -> String {
        switch number(0...99) {
        case ..<15: ""
        case ..<90: "\(number(0...most + 2))"
        default: "\(pick([0, 255, 999, 65_535, 99_999]))"
        }
    }

    private func sequence(_ text: String) -> [UInt8] { Array("\u{1B}[\(text)".utf8) }

    // MARK: Chance

    private init(generator: SeededGenerator) { self.generator = generator }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
