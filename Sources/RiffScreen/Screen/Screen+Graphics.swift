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
            let number = parameters.value(index)
            if end > index + 1 {
                selectGraphics(parameters, group: index..<end)
                index = end
            } else if number == 38 || number == 48 || number == 58 {
                index = selectColor(parameters, at: index)
            } else {
                selectGraphics(number)
                index = end
            }
        }
    }

    /// `38;5;n` and `38;2;r;g;b`.
    ///
    /// - Returns: The index of the first number that does not belong to it. Those of a color that is none count for
    ///   themselves, as in tmux.
    private mutating func selectColor(_ parameters: Parameters, at index: Int) -> Int {
        let next = parameters.endOfGroup(index + 1)
        switch parameters.single(index + 1) {
        case 5:
            setColor(parameters.value(index), palette(parameters.single(next)))
            return parameters.endOfGroup(next)
        case 2:
            guard let color = rgb(parameters.single(next), parameters.single(next + 1), parameters.single(next + 2))
            else {
                return next
            }
            setColor(parameters.value(index), color)
            return next + 3
        default: return next
        }
    }

    /// Numbers with colons between them: `4:n`, `38:5:n`, `38:2:r:g:b`, and that with a color space before red.
    private mutating func selectGraphics(_ parameters: Parameters, group: Range<Int>) {
        let values = group.map { parameters.value($0, default: -1) }
        guard values.count < 8 else { return }
        switch (values[0], values[1]) {
        case (4, _):
            guard values.count == 2, let style = UInt8(exactly: values[1]).flatMap(CellStyle.Underline.init) else {
                return
            }
            pen.attributes.underline = style
        case (38, 5), (48, 5), (58, 5):
            if values.count > 2 { setColor(values[0], palette(values[2])) }
        case (38, 2), (48, 2), (58, 2):
            let first = values.count == 5 ? 2 : 3
            guard values.count >= first + 3 else { return }
            if let color = rgb(values[first], values[first + 1], values[first + 2]) { setColor(values[0], color) }
        default: break
        }
    }

    private mutating func resetGraphics() {
        if pen.extra == 0 {
            // There is nothing but what is plain to set.
            (pen.foreground, pen.background, pen.attributes) = (.standard, .standard, [])
            return
        }
        if pen.details.underlineColor == .standard {
            // The link stays, and needs no search.
            (pen.foreground, pen.background, pen.attributes) = (.standard, .standard, [])
            return
        }
        let link = pen.details.link
        pen = Pen()
        setDetails(CellExtra(link: link))
    }

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

    private mutating func setColor(_ target: Int, _ color: ScreenColor) {
        switch target {
        case 38: pen.foreground = color
        case 48: pen.background = color
        default: setUnderlineColor(color)
        }
    }

    private func palette(_ number: Int) -> ScreenColor { UInt8(exactly: number).map { .palette($0) } ?? .standard }

    private func rgb(_ red: Int, _ green: Int, _ blue: Int) -> ScreenColor? {
        guard let red = UInt8(exactly: red), let green = UInt8(exactly: green), let blue = UInt8(exactly: blue) else {
            return nil
        }
        return .rgb(red, green, blue)
    }

    private mutating func setUnderlineColor(_ color: ScreenColor) {
        var details = pen.details
        details.underlineColor = color
        setDetails(details)
    }

    mutating func setDetails(_ details: CellExtra) {
        guard details != pen.details || pen.extra == 0 else { return }
        var index = extras.index(of: details)
        if index == nil, extras.sweeps.turnedAway(of: extras.count) {
            sweep()
            index = extras.index(of: details)
        }
        // With 65,535 of them (or 16 MiB) on screen and in scrollback, a further one is not shown.
        pen.extra = index ?? 0
        pen.details = index == nil ? CellExtra() : details
    }
}
