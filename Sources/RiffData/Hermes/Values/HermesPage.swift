// Riff
// SPDX-License-Identifier: Apache-2.0

/// Some elements of a list that may be long, in its order.
public struct HermesPage<Element: Sendable>: Sendable {
    /// The elements. There may be fewer than were asked for, also none, while more are to come.
    public let elements: [Element]
    /// Where the next page begins; `nil` at the end of the list.
    public let next: HermesCursor?

    /// A page, for previews and tests.
    public init(elements: [Element], next: HermesCursor? = nil) {
        self.elements = elements
        self.next = next
    }
}

/// A place in a list: behind the last element of a page. It stays right while elements are added or removed.
public struct HermesCursor: Sendable, Hashable {
    /// What the list is ordered by, and what tells apart elements that are equal in it.
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
    mutating func flag() -> Bool { next().isTrue }
}
