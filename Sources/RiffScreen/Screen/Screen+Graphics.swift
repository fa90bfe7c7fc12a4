// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// SGR: what the next characters are drawn with.
    mutating func selectGraphics() {
        let parameters = parser.parameters
        guard parameters.count > 0 else { return resetGraphics() }
        var index = 0
        while index < parameters.count {
            let end = parameters.endOfGroup(index)
            switch parameters.value(index) {
            case 4 where end > index + 1: pen.attributes.underline = underline(parameters.value(index + 1))
            case 38, 48, 58: index = selectColor(parameters, from: index, groupEnd: end)
            case let number where end == index + 1: selectGraphics(number)
            default: break
            }
            index = max(parameters.endOfGroup(index), index + 1)
        }
    }

    private mutating func resetGraphics() {
        let link = pen.details.link
        pen = Pen()
        setDetails(CellExtra(link: link))
    }

    private func underline(_ number: Int) -> UnderlineStyle { UnderlineStyle(rawValue: UInt8(clamping: number)) ?? .single }

    private mutating func selectGraphics(_ number: Int) {
        switch number {
        case 0: resetGraphics()
        case 1: pen.attributes.insert(.bold)
        case 2: pen.attributes.insert(.dim)
        case 3: pen.attributes.insert(.italic)
        case 4: pen.attributes.underline = .single
        case 5, 6: pen.attributes.insert(.blink)
        case 7: pen.attributes.insert(.reverse)
        case 8: pen.attributes.insert(.hidden)
        case 9: pen.attributes.insert(.strikethrough)
        case 21: pen.attributes.underline = .double
        case 22: pen.attributes.subtract([.bold, .dim])
        case 23: pen.attributes.remove(.italic)
        case 24: pen.attributes.underline = .none
        case 25: pen.attributes.remove(.blink)
        case 27: pen.attributes.remove(.reverse)
        case 28: pen.attributes.remove(.hidden)
        case 29: pen.attributes.remove(.strikethrough)
        case 30...37: pen.foreground = .palette(UInt8(number - 30))
        case 39: pen.foreground = .standard
        case 40...47: pen.background = .palette(UInt8(number - 40))
        case 49: pen.background = .standard
        case 53: pen.attributes.insert(.overline)
        case 55: pen.attributes.remove(.overline)
        case 59: setUnderlineColor(.standard)
        case 90...97: pen.foreground = .palette(UInt8(number - 82))
        case 100...107: pen.background = .palette(UInt8(number - 92))
        default: break
        }
    }

    /// `38;5;n`, `38;2;r;g;b`, and the same with colons, where an empty colour space may stand before red.
    ///
    /// - Returns: The index of the last number that belongs to it.
    private mutating func selectColor(_ parameters: Parameters, from index: Int, groupEnd: Int) -> Int {
        let isJoined = groupEnd > index + 1
        let kind = parameters.value(index + 1)
        let color: ScreenColor?
        var last = isJoined ? groupEnd - 1 : index + 1
        switch kind {
        case 5:
            color = palette(parameters.value(index + 2, default: -1))
            if !isJoined { last = index + 2 }
        case 2:
            let red = isJoined && groupEnd - index > 5 ? index + 3 : index + 2
            color = rgb((red...red + 2).map { parameters.isMissing($0) && isJoined ? -1 : parameters.value($0) })
            if !isJoined { last = index + 4 }
        default: color = nil
        }
        if let color {
            switch parameters.value(index) {
            case 38: pen.foreground = color
            case 48: pen.background = color
            default: setUnderlineColor(color)
            }
        }
        return last
    }

    private func palette(_ number: Int) -> ScreenColor? { (0...255).contains(number) ? .palette(UInt8(number)) : nil }

    private func rgb(_ parts: [Int]) -> ScreenColor? {
        guard parts.allSatisfy((0...255).contains) else { return nil }
        return .rgb(UInt8(parts[0]), UInt8(parts[1]), UInt8(parts[2]))
    }

    private mutating func setUnderlineColor(_ color: ScreenColor) {
        var details = pen.details
        details.underlineColor = color
        setDetails(details)
    }

    mutating func setDetails(_ details: CellExtra) {
        guard details != pen.details || pen.extra == 0 else { return }
        var index = extras.index(of: details)
        if index == nil {
            sweep()
            index = extras.index(of: details)
        }
        // With 65,535 of them on screen and in scrollback, a further one is not shown.
        pen.extra = index ?? 0
        pen.details = index == nil ? CellExtra() : details
    }
}
