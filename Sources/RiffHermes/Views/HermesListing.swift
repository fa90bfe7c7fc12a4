// Riff
// SPDX-License-Identifier: Apache-2.0

/// The beginning of a list that comes in pages, as far as it was read.
public struct HermesListing<Element: Sendable & Identifiable>: DatabaseAnswer where Element.ID: Sendable {
    /// The elements, in the list's order.
    public package(set) var elements: [Element] = []
    /// Whether the list continues although no more of it is kept here: ask for less, by a filter.
    public package(set) var isCut = false
    /// The cursor at which the list continues.
    package var next: HermesCursor?

    /// A list of one's own, for previews and tests.
    ///
    /// - Parameters:
    ///   - elements: In order.
    ///   - hasMore: Whether there is more to be read.
    package init(elements: [Element] = [], hasMore: Bool = false) {
        self.elements = elements
        next = hasMore ? HermesCursor() : nil
    }

    /// Whether there is more to be read.
    public var hasMore: Bool { next != nil && !isCut }

    /// With another page behind it. What is there already is not there twice: a ranked list can move between two pages.
    ///
    /// - Parameters:
    ///   - page: It.
    ///   - limit: The most elements that are kept.
    /// - Returns: The longer list.
    package func appending(_ page: HermesPage<Element>, limit: Int) -> HermesListing {
        var longer = self
        let known = Set(elements.map(\.id))
        longer.elements += page.elements.filter { !known.contains($0.id) }
        longer.next = page.next
        longer.isCut = page.next != nil && longer.elements.count >= limit
        return longer
    }

    /// This as the new beginning of an older reading: what comes behind it is still the old one's.
    package func continued(by old: HermesListing?) -> HermesListing {
        guard let old, let last = elements.last?.id, let place = old.elements.lastIndex(where: { $0.id == last }) else {
            return self
        }
        var longer = self
        longer.elements += old.elements[(place + 1)...]
        (longer.next, longer.isCut) = (old.next, old.isCut)
        return longer
    }
}

extension HermesListing: Equatable where Element: Equatable {}

/// The reader of a list.
package struct ListingReader<Element: Sendable & Identifiable>: Sendable where Element.ID: Sendable {
    package typealias Page = @Sendable (_ cursor: HermesCursor?, _ limit: Int) async throws -> HermesPage<Element>

    /// The number of elements of a page.
    package let pageSize: Int
    /// The number of elements that are kept.
    package let limit: Int
    package let page: Page

    package init(pageSize: Int, limit: Int, page: @escaping Page) {
        self.pageSize = pageSize
        self.limit = limit
        self.page = page
    }

    /// The number of pages without an element that are read on end, if a page looks through a part of the database
    /// only.
    private static var emptyPages: Int { 8 }

    /// The list on from where it was read to.
    package func more(_ old: HermesListing<Element>) async throws -> HermesListing<Element> {
        var listing = old
        for _ in 0..<Self.emptyPages where listing.hasMore && listing.elements.count == old.elements.count {
            listing = listing.appending(try await page(listing.next, pageSize), limit: limit)
        }
        return listing
    }

    /// The list from its beginning, as far as it was read before: in a busy database anything in it may have changed.
    ///
    /// - Parameters:
    ///   - old: The list as it was read before.
    ///   - keepsRest: Whether the rest is the same as before once the first page is.
    ///   - report: Told after each page but the last: the new beginning, with what is old behind it.
    /// - Returns: The list.
    /// - Throws: What reading a page throws.
    package func fresh(
        _ old: HermesListing<Element>?,
        keepsRest: (HermesListing<Element>) -> Bool = { _ in false },
        report: (HermesListing<Element>) async -> Void
    ) async throws -> HermesListing<Element> {
        let wanted = max(1, old?.elements.count ?? 0)
        var listing = HermesListing<Element>()
        for round in 0..<64 {
            let size = max(pageSize, min(wanted - listing.elements.count, 500))
            listing = listing.appending(try await page(listing.next, round == 0 ? pageSize : size), limit: limit)
            if round == 0, let old, keepsRest(listing) { return listing.continued(by: old) }
            let isUseless = listing.elements.isEmpty && round + 1 == Self.emptyPages
            if !listing.hasMore || listing.elements.count >= wanted || isUseless { break }
            await report(listing.continued(by: old))
        }
        return listing
    }
}
