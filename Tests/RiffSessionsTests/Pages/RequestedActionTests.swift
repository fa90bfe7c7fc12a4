// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTesting
import Testing

struct RequestedActionTests {
    @Test(arguments: [
        ("riff://toggle", RequestedAction.toggle), ("RIFF://Toggle/", .toggle), ("riff://call", .call),
        ("riff://hang-up", .hangUp), ("riff:toggle", nil), ("riff://", nil), ("riff://toggle?twice=1", nil),
        ("riff://toggle/now", nil), ("riff://me@toggle", nil), ("http://toggle", nil), ("toggle", nil), ("", nil),
        ("riffs://toggle", nil), ("riff://toggle#x", nil), ("riff:///toggle", nil),
    ])
    func `a link is one action or none`(_ url: String, _ action: RequestedAction?) {
        #expect(RequestedAction(url: url) == action)
    }

    @Test func `each front end has a scheme of its own`() {
        #expect(RequestedAction(url: "mine://toggle", scheme: "Mine") == .toggle)
        #expect(RequestedAction(url: "riff://toggle", scheme: "mine") == nil)
    }

    /// A9.
    @Test func `what is asked before anybody is there is delivered once`() async {
        let latch = ActionLatch<RequestedAction>()
        latch.request(.call)
        latch.request(.toggle)
        var first = latch.requests().makeAsyncIterator()
        #expect(await first.next() == .toggle, "the newest")
        // The next follower gets nothing of it, and the one before ends.
        var second = latch.requests().makeAsyncIterator()
        #expect(await first.next() == nil)
        latch.request(.hangUp)
        #expect(await second.next() == .hangUp)
    }

    /// V12: whatever the source, one toggle each.
    @Test func `all ways to ask come out in one place`() async {
        let latch = ActionLatch<RequestedAction>()
        var requests = latch.requests().makeAsyncIterator()
        latch.request(.toggle)
        if let action = RequestedAction(url: "riff://toggle") { latch.request(action) }
        #expect(await requests.next() == .toggle)
        #expect(await requests.next() == .toggle)
    }

    @Test func `nobody wants it any more after a while, and a follower that left leaves the latch`() async {
        let clock = ManualClock()
        let latch = ActionLatch<RequestedAction>(clock: clock)
        latch.request(.toggle)
        clock.advance(by: .seconds(31))
        do {
            var late = latch.requests().makeAsyncIterator()
            latch.request(.call)
            #expect(await late.next() == .call)
        }
        let gone = Task { for await _ in latch.requests() {} }
        gone.cancel()
        await gone.value
        latch.request(.hangUp)
        var next = latch.requests().makeAsyncIterator()
        #expect(await next.next() == .hangUp)
    }
}
