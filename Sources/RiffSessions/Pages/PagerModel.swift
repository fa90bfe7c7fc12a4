// Riff
// SPDX-License-Identifier: Apache-2.0

/// Pages side by side that follow a finger: where they stand while it moves, and which one they come to rest on.
///
/// It has no animation and no clock; the front end draws ``progress`` and animates to what ``end(velocity:)`` returns.
/// Lengths are in points, x grows to the right and y downwards.
public struct PagerModel: Sendable, Hashable {
    /// The object that a drag moves.
    public enum Axis: Sendable, Hashable {
        /// The drag moves the pages.
        case horizontal
        /// What is on the page; the pages stand still.
        case vertical
    }

    /// The distance that a finger moves until its direction is known, in points.
    package static let axisThreshold = 10.0
    /// The part of a page's width past which a slow drag commits.
    package static let commitFraction = 1.0 / 3.0
    /// The speed at which a finger that is lifted commits however far it moved, in points a second.
    package static let flickVelocity = 500.0

    /// The number of pages; at least 1.
    public private(set) var pageCount: Int
    /// The page at rest, or the one that a drag began on.
    public private(set) var page: Int
    /// The width of a page in points; while it is 0 or less, nothing moves.
    public var width: Double
    /// The object that the drag moves; `nil` until that is known. Once known it stays to the drag's end.
    public private(set) var axis: Axis?
    private var distance = 0.0

    /// A pager at rest on a page; numbers outside of what there is are taken to the nearest.
    public init(pageCount: Int, page: Int = 0, width: Double = 0) {
        self.pageCount = max(1, pageCount)
        self.page = min(max(0, page), self.pageCount - 1)
        self.width = width
    }

    /// The position of the pages, in pages from the first: 1.25 shows three quarters of the second and a quarter of the
    /// third. It follows the finger one to one, from the page it began on to its neighbors, and not past the ends.
    public var progress: Double {
        guard axis == .horizontal, width > 0 else { return Double(page) }
        let lowest = Double(max(page - 1, 0))
        let highest = Double(min(page + 1, pageCount - 1))
        return min(max(Double(page) - distance / width, lowest), highest)
    }

    /// A finger was put down; what an earlier one moved is forgotten.
    public mutating func begin() {
        axis = nil
        distance = 0
    }

    /// The finger moved.
    ///
    /// - Parameters:
    ///   - x: How far it is from where it was put down, to the right.
    ///   - y: The same, downwards.
    public mutating func drag(x: Double, y: Double) {
        guard x.isFinite, y.isFinite else { return }
        if axis == nil, max(abs(x), abs(y)) >= Self.axisThreshold {
            axis = abs(x) > abs(y) ? .horizontal : .vertical
        }
        if axis == .horizontal { distance = x }
    }

    /// The finger was lifted: the next page where it passed a third of the width or was fast, and did not turn back.
    ///
    /// - Parameter velocity: How fast it was at the end, in points a second, to the right.
    /// - Returns: The page to come to rest on, which is then ``page``; input goes there from now on.
    @discardableResult
    public mutating func end(velocity: Double = 0) -> Int {
        defer { begin() }
        guard axis == .horizontal, width > 0 else { return page }
        let isFlick = abs(velocity) >= Self.flickVelocity
        let isTowards = velocity * distance > 0
        let commits = isFlick ? isTowards : abs(distance) > width * Self.commitFraction
        if commits { page = min(max(0, page + (distance < 0 ? 1 : -1)), pageCount - 1) }
        return page
    }

    /// The drag was taken away, by an alert or another gesture: the pages go back.
    public mutating func cancel() { begin() }

    /// Sessions came or went, or another one was chosen. A drag on a page that is still the same goes on.
    ///
    /// - Parameters:
    ///   - pageCount: How many pages there are.
    ///   - page: The page on show.
    public mutating func update(pageCount: Int, page: Int) {
        let updated = PagerModel(pageCount: pageCount, page: page)
        if updated.page != self.page { begin() }
        (self.pageCount, self.page) = (updated.pageCount, updated.page)
    }
}
