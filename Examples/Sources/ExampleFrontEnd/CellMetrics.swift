// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The size of one character cell, from which a view's size gives columns and rows.
public struct CellMetrics: Sendable, Hashable {
    /// The width of a cell in points.
    public var width: Double
    /// The height of a cell in points.
    public var height: Double
    /// How many pixels a point has, along one edge.
    public var scale: Double

    /// The size of a cell.
    public init(width: Double, height: Double, scale: Double = 1) {
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// How many whole cells a view has room for.
    ///
    /// - Parameters:
    ///   - width: The view's width in points.
    ///   - height: The view's height in points: what is left of the page while the keyboard is up.
    ///   - insets: What is covered or left free at its edges.
    /// - Returns: The size for the terminal, with pixels; `nil` where no program could draw into it, as with a view
    ///   that is not laid out yet (``TerminalSize/isUsable``).
    public func size(width: Double, height: Double, insets: ViewInsets = ViewInsets()) -> TerminalSize? {
        let room = (width: width - insets.left - insets.right, height: height - insets.top - insets.bottom)
        guard let columns = Self.cells(in: room.width, each: self.width),
            let rows = Self.cells(in: room.height, each: self.height),
            let pixelWidth = Self.whole(Double(columns) * self.width * scale),
            let pixelHeight = Self.whole(Double(rows) * self.height * scale)
        else { return nil }
        let size = TerminalSize(columns: columns, rows: rows, pixelWidth: pixelWidth, pixelHeight: pixelHeight)
        return size.isUsable ? size : nil
    }

    /// The small part of a cell makes up for sums of thirds of points, where three cells come out as
    /// 2.9999999999999996.
    private static func cells(in length: Double, each cell: Double) -> Int? {
        cell > 0 ? whole(length / cell + 1e-6) : nil
    }

    private static func whole(_ value: Double) -> Int? { (0..<65_536).contains(value) ? Int(value) : nil }
}

/// What is covered or left free at the edges of a view, in points.
public struct ViewInsets: Sendable, Hashable {
    /// At the top.
    public var top: Double
    /// At the left.
    public var left: Double
    /// At the bottom.
    public var bottom: Double
    /// At the right.
    public var right: Double

    /// Insets; none unless said otherwise.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// How much the home indicator takes at the bottom.
    ///
    /// The window knows it, also while the keyboard is up; but during the first layouts after a cold launch there is no
    /// key window, and it says 0. The keyboard is down then, so that the inset of the view is the indicator's own.
    ///
    /// - Parameters:
    ///   - windowInset: The bottom inset of the key window, in points; 0 where there is none.
    ///   - proxyInset: The bottom inset that the layout gives the view, in points: the keyboard's while it is up.
    /// - Returns: The indicator's inset, in points.
    public static func homeIndicatorInset(windowInset: Double, proxyInset: Double) -> Double {
        windowInset > 0 ? windowInset : proxyInset
    }

    /// How far the keyboard lifts what stands at the bottom: what it takes beyond the home indicator, and 0 while it is
    /// down.
    ///
    /// - Parameters:
    ///   - bottomInset: The bottom inset that the layout gives the view, in points.
    ///   - homeIndicatorInset: Of ``homeIndicatorInset(windowInset:proxyInset:)``.
    /// - Returns: The lift, in points.
    public static func keyboardLift(bottomInset: Double, homeIndicatorInset: Double) -> Double {
        max(0, bottomInset - homeIndicatorInset)
    }
}
