// Riff
// SPDX-License-Identifier: Apache-2.0

/// Some elements of a list that may be long, in its order.
public struct HermesPage<Element: Sendable>: Sendable {
    /// The elements of the page. There may be fewer than were asked for, also none, while more are to come.
    public let elements: [Element]
    /// The place where the next page begins; `nil` at the end of the list.
    public let next: HermesCursor?

    /// A page, for previews and tests.
    package init(elements: [Element], next: HermesCursor? = nil) {
        self.elements = elements
        self.next = next
    }
}

extension HermesPage: Equatable where Element: Equatable {}
extension HermesPage: Hashable where Element: Hashable {}

/// A place in a list: behind the last element of a page. It stays right while elements are added or removed, but for a
/// ranked search: what is added is in none of its later pages, yet what a match is worth depends on all messages that
/// there are, so that a few can move across the end of a page.
public struct HermesCursor: Sendable, Hashable {
    /// The values that the list is ordered by, and those that tell apart elements that are equal in them.
    package let values: [SQLValue]

    package init(_ values: SQLValue...) { self.values = values }
}

/// Takes the values of a row one after another, as its columns were named.
struct SQLRowReader {
    private let row: SQLRow
    private var place = 0

    init(_ row: SQLRow) { self.row = row }

    mutating func next() -> SQLValue {
        defer { place += 1 }
        return place < row.count ? row[place] : .null
    }

    mutating func text() -> String? { next().text }
    mutating func integer() -> Int64? { next().integer }
    mutating func real() -> Double? { next().real }
    mutating func count() -> Int64 { next().integer ?? 0 }

    /// A sum of ``SQLSum``; the largest number where it is beyond.
    mutating func sum() -> Int64 {
        let (high, low) = (count(), count())
        let (product, isBeyond) = high.multipliedReportingOverflow(by: 1 << 32)
        return isBeyond ? (high < 0 ? .min : .max) : product.adding(low)
    }
    mutating func flag() -> Bool { next().isTrue }
}

/// Sums of whole numbers. SQLite refuses a statement whose `sum` is beyond 64 bits, and one odd row would do; so the
/// upper and the lower 32 bits are summed apart, and joined by ``SQLRowReader/sum()``.
enum SQLSum {
    /// The two columns of a sum.
    static func columns(_ expression: String) -> [String] {
        ["sum((\(expression)) >> 32)", "sum((\(expression)) & 4294967295)"]
    }
}
