// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import Synchronization
import Testing

private struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var text = ""
}

/// A list of numbers that falls, in pages; it can be changed between two of them.
private final class Numbers: Sendable {
    let items: Mutex<[Item]>
    /// What was asked: behind which number, and how many.
    let asked = Mutex<[String]>([])
    /// How many numbers one page looks through.
    let window: Int

    init(_ numbers: [Int], window: Int = .max) {
        items = Mutex(numbers.map { Item(id: $0) })
        self.window = window
    }

    var reader: ListingReader<Item> {
        ListingReader(pageSize: 3, limit: 20) { cursor, limit in
            let before = cursor?.values.first?.integer.map(Int.init)
            self.asked.withLock { $0.append("\(before.map(String.init) ?? "-"):\(limit)") }
            let rest = self.items.withLock { $0 }.filter { item in before.map { item.id < $0 } ?? true }
            let seen = self.window == .max ? rest : rest.filter { $0.id > (before ?? 1000) - self.window }
            let page = Array(seen.prefix(limit))
            let bottom = self.window == .max ? page.last?.id ?? 0 : (before ?? 1000) - self.window + 1
            let next = page.count == limit ? page.last?.id ?? bottom : bottom
            let hasMore = rest.contains { item in item.id < next || !page.contains(item) && item.id != next }
            return HermesPage(elements: page, next: hasMore ? HermesCursor(.integer(Int64(next))) : nil)
        }
    }
}

struct HermesListingTests {
    @Test func `pages join until the end`() async throws {
        let numbers = Numbers([9, 8, 7, 6, 5, 4, 3])
        var listing = try await numbers.reader.fresh(nil) { _ in }
        #expect(listing.elements.map(\.id) == [9, 8, 7])
        #expect(listing.hasMore)
        listing = try await numbers.reader.more(listing)
        listing = try await numbers.reader.more(listing)
        #expect(listing.elements.map(\.id) == [9, 8, 7, 6, 5, 4, 3])
        #expect(!listing.hasMore)
        #expect(try await numbers.reader.more(listing).elements.count == 7)
        #expect(numbers.asked.withLock { $0 } == ["-:3", "7:3", "4:3"])
    }

    @Test func `a list read anew is as long as before, with what was added, changed and removed`() async throws {
        let numbers = Numbers([9, 8, 7, 6, 5, 4, 3])
        var listing = try await numbers.reader.more(try await numbers.reader.fresh(nil) { _ in })
        #expect(listing.elements.count == 6)
        numbers.items.withLock { items in
            items.removeAll { $0.id == 6 }
            items.insert(Item(id: 10), at: 0)
            items[4].text = "changed"
        }
        let reported = Mutex<[[Int]]>([])
        listing = try await numbers.reader.fresh(listing) { part in
            reported.withLock { $0.append(part.elements.map(\.id)) }
        }
        // First the new beginning with what is old behind it, then all of it.
        #expect(reported.withLock { $0 } == [[10, 9, 8, 7, 6, 5, 4]])
        #expect(listing.elements.map(\.id) == [10, 9, 8, 7, 5, 4])
        #expect(listing.elements[4].text == "changed")
        #expect(listing.hasMore)
    }

    @Test func `the rest is not read where it is known to be the same`() async throws {
        let numbers = Numbers([9, 8, 7, 6, 5, 4, 3])
        let old = try await numbers.reader.more(try await numbers.reader.fresh(nil) { _ in })
        numbers.asked.withLock { $0 = [] }
        let listing = try await numbers.reader.fresh(old, keepsRest: { $0.elements == Array(old.elements.prefix(3)) }) {
            _ in
        }
        #expect(listing.elements == old.elements)
        #expect(listing.hasMore)
        #expect(numbers.asked.withLock { $0 } == ["-:3"])
    }

    @Test func `pages without an element are passed over, but not for ever`() async throws {
        let numbers = Numbers([500, 499], window: 100)
        let found = try await numbers.reader.fresh(nil) { _ in }
        #expect(found.elements.map(\.id) == [500, 499])
        let far = Numbers([3], window: 100)
        let first = try await far.reader.fresh(nil) { _ in }
        #expect(first.elements.isEmpty)
        #expect(first.hasMore)
        #expect(far.asked.withLock { $0.count } == 8)
        #expect(try await far.reader.more(first).elements.map(\.id) == [3])
    }

    @Test func `a list is cut where it would not end, and says so`() async throws {
        let numbers = Numbers(Array((0..<100).reversed()))
        var listing = try await numbers.reader.fresh(nil) { _ in }
        while listing.hasMore { listing = try await numbers.reader.more(listing) }
        #expect(listing.isCut)
        #expect(listing.elements.count == 21)
        let again = try await numbers.reader.fresh(listing) { _ in }
        #expect(again.elements == listing.elements)
        #expect(again.isCut)
    }
}
