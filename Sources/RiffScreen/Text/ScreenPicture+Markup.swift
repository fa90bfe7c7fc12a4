// Riff
// SPDX-License-Identifier: Apache-2.0

extension ScreenPicture {
    /// A run of cells with one look.
    private struct Run {
        var text: String
        var column: Int
        var width: Int
        var style: CellStyle
        var link: ScreenLink?
    }

    // MARK: HTML

    /// The rows as a `<pre>` with inline styles: no script, no class, nothing loaded. A link is kept where its scheme
    /// may be opened.
    public func html(palette: ScreenPalette = .dark, links: LinkDetector = LinkDetector()) -> String {
        let body = rows.map { row in runs(row).map { span($0, palette, links) }.joined() }.joined(separator: "\n")
        return "<pre style=\"color:\(palette.foreground);background:\(palette.background)\">\(body)</pre>"
    }

    private func span(_ run: Run, _ palette: ScreenPalette, _ links: LinkDetector) -> String {
        var css: [String] = []
        let (front, back) = palette.colors(run.style)
        if let front { css.append("color:" + front) }
        if let back { css.append("background:" + back) }
        let attributes = run.style.attributes
        if attributes.contains(.bold) { css.append("font-weight:bold") }
        if attributes.contains(.dim) { css.append("opacity:.6") }
        if attributes.contains(.italic) { css.append("font-style:italic") }
        if attributes.contains(.hidden) { css.append("visibility:hidden") }
        let lines = Self.lines(attributes)
        if !lines.isEmpty { css.append("text-decoration:" + lines.joined(separator: " ")) }
        var text = Self.escaped(run.text)
        if !css.isEmpty { text = "<span style=\"\(css.joined(separator: ";"))\">\(text)</span>" }
        if let link = run.link, let url = links.allowed(Array(link.uri.unicodeScalars.map(\.value))) {
            text = "<a href=\"\(Self.escaped(url))\" rel=\"noreferrer\">\(text)</a>"
        }
        return text
    }

    // MARK: SVG

    /// The rows as a drawing: nothing but shapes and text.
    ///
    /// - Parameters:
    ///   - title: What it shows, for those who cannot see it.
    ///   - palette: The colors.
    /// - Returns: The SVG document.
    public func svg(title: String, palette: ScreenPalette = .dark) -> String {
        let (cellWidth, cellHeight, margin) = (8.4, 18.0, 14.0)
        let (width, height) = (2 * margin + Double(columns) * cellWidth, 2 * margin + Double(rows.count) * cellHeight)
        var body: [String] = []
        for (index, row) in rows.enumerated() {
            for run in runs(row) {
                let (left, top) = (margin + Double(run.column) * cellWidth, margin + Double(index) * cellHeight)
                let wide = Double(run.width) * cellWidth
                let (front, back) = palette.colors(run.style)
                if let back {
                    body.append(
                        "<rect x=\"\(Self.number(left))\" y=\"\(Self.number(top))\" width=\"\(Self.number(wide))\" "
                            + "height=\"\(Self.number(cellHeight))\" fill=\"\(back)\"/>"
                    )
                }
                let isSpace = run.text.allSatisfy { $0 == " " }
                if isSpace && Self.lines(run.style.attributes).isEmpty || run.style.attributes.contains(.hidden) {
                    continue
                }
                body.append(
                    "<text x=\"\(Self.number(left))\" y=\"\(Self.number(top + 13.5))\" textLength=\"\(Self.number(wide))\" "
                        + "fill=\"\(front ?? palette.foreground)\"\(Self.svgAttributes(run.style.attributes))>"
                        + "\(Self.escaped(run.text))</text>"
                )
            }
        }
        let (wide, high) = (Self.number(width), Self.number(height))
        // The size besides the box: without it a page makes the picture as wide as it can.
        let frame = "width=\"\(wide)\" height=\"\(high)\" viewBox=\"0 0 \(wide) \(high)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" \(frame) role="img">
            <title>\(Self.escaped(title))</title>
            <rect width="100%" height="100%" rx="8" fill="\(palette.background)"/>
            <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
            \(body.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    private static func svgAttributes(_ attributes: CellStyle.Attributes) -> String {
        var result = ""
        if attributes.contains(.bold) { result += " font-weight=\"bold\"" }
        if attributes.contains(.dim) { result += " opacity=\"0.6\"" }
        if attributes.contains(.italic) { result += " font-style=\"italic\"" }
        let lines = lines(attributes)
        return lines.isEmpty ? result : result + " text-decoration=\"\(lines.joined(separator: " "))\""
    }

    // MARK: Parts

    private func runs(_ row: ScreenRow) -> [Run] {
        var runs: [Run] = []
        let end = (row.cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1
        for (column, cell) in row.cells.prefix(end).enumerated() where cell.width > 0 {
            let text = cell.text.isEmpty ? " " : cell.text
            if let last = runs.last, last.style == cell.style, last.link == cell.link {
                runs[runs.count - 1].text += text
                runs[runs.count - 1].width += cell.width
            } else {
                runs.append(Run(text: text, column: column, width: cell.width, style: cell.style, link: cell.link))
            }
        }
        return runs
    }

    private static func lines(_ attributes: CellStyle.Attributes) -> [String] {
        var lines: [String] = []
        if attributes.underline != .none { lines.append("underline") }
        if attributes.contains(.strikethrough) { lines.append("line-through") }
        if attributes.contains(.overline) { lines.append("overline") }
        return lines
    }

    private static func escaped(_ text: String) -> String {
        // By scalars: a mark behind a bracket makes one Character of the two.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// A number with at most one decimal.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
