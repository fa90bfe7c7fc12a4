// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

struct SessionListTests {
    @Test func `there is a base page before anything is known`() {
        let list = SessionList()
        #expect(list.names == [.base] && list.active == .base && list.activeIndex == 0)
    }

    @Test(arguments: [
        // Before, at and after the active page.
        ("riff riff-2 [riff-3] riff-4", "riff-2", "riff [riff-3] riff-4"),
        ("riff riff-2 [riff-3] riff-4", "riff-3", "riff [riff-2] riff-4"),
        ("riff riff-2 [riff-3] riff-4", "riff-4", "riff riff-2 [riff-3]"),
        // To the left, and no further than the first.
        ("[riff] riff-2", "riff", "[riff-2]"), ("riff [riff-2]", "riff-2", "[riff]"),
        // The last one leaves a base page behind.
        ("[riff]", "riff", "[riff]"), ("[riff]", "riff-9", "[riff]"),
    ])
    func `closing goes left, no further than the first, and leaves the active page where it can`(
        _ before: String,
        _ closed: String,
        _ after: String
    ) throws {
        var list = try Sessions.list(before)
        list.remove(try SessionName(closed))
        #expect(Sessions.text(list) == after)
    }

    @Test func `a last page that is not the base is replaced by it`() throws {
        var list = try Sessions.list("riff [riff-2]")
        list.remove(.base)
        #expect(Sessions.text(list) == "[riff-2]")
        list.remove(try SessionName("riff-2"))
        #expect(Sessions.text(list) == "[riff]")
        #expect(list.pages[0].identity == nil)
    }

    @Test func `a place outside of the pages is the nearest page`() throws {
        let list = try Sessions.list("riff riff-2 riff-3")
        #expect(
            [-5, 0, 1, 2, 3, 99].map { list.name(at: $0).rawValue } == [
                "riff", "riff", "riff-2", "riff-3", "riff-3", "riff-3",
            ]
        )
    }

    @Test func `a new page comes last, the base page first, each once, and the active one stays`() throws {
        var list = try Sessions.list("riff [riff-2]")
        list.add(try SessionName("other"))
        list.add(try SessionName("riff-2"))
        #expect(Sessions.text(list) == "riff [riff-2] other")
        list.remove(.base)
        list.add(.base)
        #expect(Sessions.text(list) == "riff [riff-2] other")
        #expect(list.activeIndex == 1)
        list.activate(try SessionName("nowhere"))
        #expect(Sessions.text(list) == "riff [riff-2] other")
    }
}

struct SessionDiffTests {
    @Test(arguments: [
        // Appended in the order in which they were made, whatever order the server lists.
        ("[riff]", "riff$0 riff-10$3 riff-2$1", "[riff] riff-2 riff-10"),
        // Dropped, but never the base page; no survivor moves.
        ("riff$0 riff-2$1 [riff-3$2] riff-4$3", "riff-4$3 riff-3$2", "riff [riff-3] riff-4"),
        ("riff$0 [riff-2$1]", "", "[riff]"),
        // The active page goes left when its session is gone, over others that are gone as well.
        ("riff$0 riff-2$1 riff-3$2 [riff-4$3]", "riff$0 riff-2$1 x$9", "riff [riff-2] x"),
        // A renamed session keeps its place.
        ("riff$0 [riff-2$1] riff-3$2", "riff$0 work$1 riff-3$2", "riff [work] riff-3"),
        ("riff$0 [a$1] b$2", "riff$0 b$1 a$2", "riff [b] a"),
        ("riff$0 [a$1]", "riff$0 b$1 a$2", "riff [b] a"),
        // The base page is never another session's, and no other becomes the base page.
        ("[riff$0] riff-2$1", "work$0 riff-2$1", "[riff] riff-2 work"),
        ("riff$0 [riff-2$1]", "riff$1", "[riff]"),
        // Names twice in a list, as no server tells them.
        ("[riff]", "riff$0 riff-2$1 riff-2$2", "[riff] riff-2"),
    ])
    func `the pages follow the server`(_ before: String, _ live: String, _ after: String) throws {
        var list = try Sessions.list(before)
        let live = try Sessions.live(live)
        list.apply(SessionDiff(from: list, to: live))
        #expect(Sessions.text(list) == after)
        #expect(SessionDiff(from: list, to: live).isEmpty)
        #expect(SessionDiff(from: list, to: live.reversed()).isEmpty)
    }

    @Test func `another session under a page's name is told`() throws {
        let list = try Sessions.list("riff$0 riff-2$1 riff-3$2")
        let diff = SessionDiff(from: list, to: try Sessions.live("riff$0 riff-2$5 x$2"))
        #expect(diff.replaced == (try Sessions.names("riff-2")))
        #expect(diff.renamed == [SessionDiff.Rename(from: try SessionName("riff-3"), to: try SessionName("x"))])
        #expect(diff.dropped.isEmpty && diff.appended.isEmpty && !diff.isEmpty)
        let displaced = SessionDiff(from: list, to: try Sessions.live("work$0 riff-2$1 riff-3$2 riff$9"))
        #expect(displaced.displaced == [.base] && displaced.replaced.isEmpty)
        #expect(displaced.appended.map(\.name.rawValue) == ["work"])
        let promoted = SessionDiff(from: list, to: try Sessions.live("riff$1 riff-2$5 riff-3$2"))
        #expect(promoted.displaced == (try Sessions.names("riff-2")) && promoted.replaced == [.base])
    }

    @Test func `a page that the server has not listed yet is known by its name`() throws {
        var list = SessionList()
        list.add(try SessionName("riff-2"))
        let diff = SessionDiff(from: list, to: try Sessions.live("riff-2$4 riff$2"))
        #expect(diff.isEmpty)
        list.apply(diff)
        #expect(list.pages.map(\.identity?.id) == ["$2", "$4"])
    }
}

struct AttachPolicyTests {
    @Test(arguments: [
        (AttachPolicy.eager, 4, 0, [0, 1, 2, 3]), (.eager, 4, 2, [2, 3, 1, 0]), (.eager, 1, 0, [0]),
        (.visible(), 5, 2, [2, 3, 1]), (.visible(), 5, 0, [0, 1]), (.visible(), 5, 4, [4, 3]),
        (.visible(prefetch: 0), 5, 3, [3]), (.visible(prefetch: -1), 5, 3, [3]),
        (AttachPolicy(prefetch: nil, channelBudget: 3), 9, 4, [4, 5, 3]),
        (AttachPolicy(prefetch: nil, channelBudget: 0), 9, 4, [4]),
    ])
    func `the nearest pages are attached first`(_ policy: AttachPolicy, _ count: Int, _ active: Int, _ places: [Int]) {
        #expect(policy.places(of: count, active: active) == places)
    }

    @Test func `the default budget is 32 channels`() {
        #expect(AttachPolicy.eager.places(of: 100, active: 50).count == 32)
        #expect(AttachPolicy.visible(prefetch: .max).places(of: 100, active: 50).count == 32)
    }
}

struct SessionCreationTests {
    @Test(arguments: [
        ("riff", "riff riff-2 riff-4", "riff-3"), ("riff riff-2", "riff riff-3", "riff-4"), ("riff-3", "", "riff-2"),
    ])
    func `the name is the lowest that neither the server nor the pages have`(
        _ memory: String,
        _ server: String,
        _ name: String
    ) throws {
        var creation = try SessionCreation(memory: try Sessions.names(memory), limit: 9)
        #expect(try creation.firstName(server: try Sessions.names(server)).rawValue == name)
    }

    @Test func `without the server's word the pages decide, and a taken name is passed over`() throws {
        var creation = try SessionCreation(memory: try Sessions.names("riff riff-2"), limit: 9, attempts: 3)
        var name = try creation.firstName(server: nil as [SessionName]?)
        #expect(name.rawValue == "riff-3")
        for expected in ["riff-4", "riff-5"] {
            name = try creation.nextName(afterDuplicate: name)
            #expect(name.rawValue == expected)
        }
        let error = #expect(throws: CoreError.self) { try creation.nextName(afterDuplicate: name) }
        #expect(error?.code == .sessionNamesTaken && error?.recovery == .retry)
    }

    @Test func `at the cap the next one is refused, by the pages' count and by the server's`() throws {
        let memory = try Sessions.names("riff riff-2 riff-3")
        let error = #expect(throws: CoreError.self) { try SessionCreation(memory: memory, limit: 3) }
        #expect(error?.code == .tooManySessions)
        #expect(error?.message == "There are 3 sessions, and 3 are the most that are made. Close one first.")
        var creation = try SessionCreation(memory: memory, limit: 4)
        #expect(throws: CoreError.self) { try creation.firstName(server: try Sessions.names("riff riff-7")) }
        var free = try SessionCreation(memory: memory, limit: 4)
        #expect(try free.firstName(server: memory).rawValue == "riff-4")
    }
}
