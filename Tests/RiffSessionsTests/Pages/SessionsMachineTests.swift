// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import TestSupport
import Testing

struct SessionsMachineTests {
    private typealias Effect = SessionsMachine.Effect

    private static func name(_ text: String) throws -> SessionName { try SessionName(text) }

    /// A machine that has taken its first list and attached what it wants.
    private static func running(_ live: String, policy: AttachPolicy = .eager) throws -> SessionsMachine {
        var machine = SessionsMachine(policy: policy)
        _ = machine.handle(.started)
        _ = machine.handle(.recalled(nil))
        _ = machine.handle(.opened(.base))
        settle(&machine, machine.handle(.listed(try Sessions.live(live))))
        return machine
    }

    /// Opens what is attached until nothing more is.
    private static func settle(_ machine: inout SessionsMachine, _ effects: [Effect]) {
        for case .attach(let name) in effects { settle(&machine, machine.handle(.opened(name))) }
    }

    // MARK: Setting up

    @Test func `the base page is attached alone, then the server is asked, then the others come`() throws {
        var machine = SessionsMachine()
        #expect(machine.handle(.opened(.base)).isEmpty)
        #expect(machine.handle(.started) == [.attach(.base)])
        #expect(machine.handle(.started).isEmpty)
        // The connection that the base page made is no reason to ask twice.
        #expect(machine.handle(.connected).isEmpty)
        #expect(machine.handle(.foregrounded).isEmpty)
        #expect(!machine.isSetUp)
        #expect(machine.handle(.opened(.base)) == [.probe(after: .zero)])
        #expect(machine.handle(.connected).isEmpty)
        let effects = machine.handle(.listed(try Sessions.live("riff riff-2 riff-3 riff-4 riff-5 riff-6 riff-7")))
        // Four at a time; one more for each that is there.
        #expect(effects == (try Sessions.names("riff-2 riff-3 riff-4 riff-5")).map { .attach($0) })
        #expect(machine.handle(.opened(try Self.name("riff-3"))) == [.attach(try Self.name("riff-6"))])
        #expect(
            machine.handle(.ended(try Self.name("riff-4"), .lost(isRetryable: false))) == [
                .attach(try Self.name("riff-7"))
            ]
        )
        #expect(machine.isSetUp)
    }

    @Test func `a base page that cannot be attached does not keep the others away`() throws {
        for end in [SessionsMachine.End.exited, .lost(isRetryable: true), .lost(isRetryable: false)] {
            var machine = SessionsMachine()
            _ = machine.handle(.started)
            #expect(machine.handle(.ended(.base, end)) == [.probe(after: .zero)])
            let effects = machine.handle(.listed(try Sessions.live("riff-2")))
            // What did not end by itself is tried again with the others.
            let again: [Effect] = end == .exited ? [] : [.detach(.base), .attach(.base)]
            #expect(effects == again + [.attach(try Self.name("riff-2"))])
        }
    }

    @Test func `the first list is asked for three times, after 0, 1 and 2 seconds`() {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        #expect(machine.handle(.opened(.base)) == [.probe(after: .zero)])
        #expect(machine.handle(.listFailed) == [.probe(after: .seconds(1))])
        #expect(machine.handle(.listFailed) == [.probe(after: .seconds(2))])
        #expect(!machine.isSetUp)
        #expect(machine.handle(.listFailed).isEmpty)
        #expect(machine.isSetUp && machine.list.names == [.base])
        // From then on, as always.
        #expect(machine.handle(.connected) == [.probe(after: .zero)])
        #expect(machine.handle(.listFailed).isEmpty)
    }

    @Test func `an empty list is an answer, at the first try`() {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        _ = machine.handle(.opened(.base))
        #expect(machine.handle(.listed([])).isEmpty)
        #expect(machine.isSetUp && machine.list.names == [.base])
    }

    @Test func `a base page that is closed while it is opened does not hold the list back`() throws {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        #expect(machine.handle(.closed(.base)) == [.detach(.base), .attach(.base)])
        #expect(machine.handle(.created(try Self.name("riff-2"))) == [.remember(try Self.name("riff-2"))])
        let effects = machine.handle(.closed(.base))
        #expect(effects == [.detach(.base), .probe(after: .zero), .attach(try Self.name("riff-2"))])
    }

    // MARK: The active page of last time

    @Test(arguments: [true, false])
    func `the active page of last time comes back, whichever is known first`(_ isRecalledFirst: Bool) throws {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        var effects: [Effect] = []
        if isRecalledFirst { effects += machine.handle(.recalled(try Self.name("riff-3"))) }
        effects += machine.handle(.opened(.base))
        effects += machine.handle(.listed(try Sessions.live("riff riff-2 riff-3")))
        if !isRecalledFirst { effects += machine.handle(.recalled(try Self.name("riff-3"))) }
        #expect(machine.list.active.rawValue == "riff-3")
        // It is attached first, and there is nothing new to remember.
        #expect(!effects.contains(.remember(try Self.name("riff-3"))))
        if isRecalledFirst { #expect(effects[1] == .attach(try Self.name("riff-3"))) }
    }

    @Test func `one that is gone leaves the base active, also when it comes later`() throws {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        _ = machine.handle(.recalled(try Self.name("riff-3")))
        _ = machine.handle(.opened(.base))
        _ = machine.handle(.listed(try Sessions.live("riff riff-2")))
        #expect(machine.list.active == .base)
        _ = machine.handle(.connected)
        _ = machine.handle(.listed(try Sessions.live("riff riff-2 riff-3")))
        #expect(machine.list.active == .base)
    }

    @Test func `while the server cannot be asked it is waited for`() throws {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        _ = machine.handle(.recalled(try Self.name("riff-3")))
        _ = machine.handle(.opened(.base))
        for _ in 0..<3 { _ = machine.handle(.listFailed) }
        #expect(machine.list.active == .base)
        _ = machine.handle(.connected)
        _ = machine.handle(.listed(try Sessions.live("riff riff-2 riff-3")))
        #expect(machine.list.active.rawValue == "riff-3")
    }

    @Test(arguments: [SessionsMachine.Event.typed, .activated(.base)])
    func `whoever types or turns a page is not taken away from it`(_ event: SessionsMachine.Event) throws {
        var machine = SessionsMachine()
        _ = machine.handle(.started)
        _ = machine.handle(.recalled(try Self.name("riff-3")))
        _ = machine.handle(.opened(.base))
        _ = machine.handle(event)
        _ = machine.handle(.listed(try Sessions.live("riff riff-2 riff-3")))
        #expect(machine.list.active == .base)
    }

    // MARK: When the server is asked

    @Test func `each edge asks once, and edges while it is being asked once more together`() throws {
        var machine = try Self.running("riff riff-2")
        for edge in [SessionsMachine.Event.foregrounded, .connected] {
            #expect(machine.handle(edge) == [.probe(after: .zero)])
            #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))).isEmpty)
        }
        #expect(machine.handle(.foregrounded) == [.probe(after: .zero)])
        for edge in [SessionsMachine.Event.connected, .foregrounded, .connected] {
            #expect(machine.handle(edge).isEmpty)
        }
        #expect(machine.handle(.listFailed) == [.probe(after: .zero)])
        #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))).isEmpty)
    }

    @Test func `a failed list changes nothing`() throws {
        var machine = try Self.running("riff riff-2 riff-3")
        let before = machine
        _ = machine.handle(.foregrounded)
        #expect(machine.handle(.listFailed).isEmpty)
        #expect(machine == before)
    }

    @Test func `a watcher's word asks the server where it differs, once, and only when it can be relied on`() throws {
        var machine = try Self.running("riff riff-2")
        func watched(_ live: String, _ status: TmuxServerState.Status = .live) throws -> [Effect] {
            machine.handle(.watched(TmuxServerState(status: status, sessions: try Sessions.live(live))))
        }
        #expect(try watched("riff riff-2").isEmpty)
        #expect(try watched("riff", .starting).isEmpty)
        #expect(try watched("riff", .unavailable("tmux 3.1")).isEmpty)
        #expect(try watched("riff riff-2 riff-3") == [.probe(after: .zero)])
        // Its next word comes while the server is asked: what it says is seen to after the answer, where it differs.
        #expect(try watched("riff riff-2").isEmpty)
        let effects = machine.handle(.listed(try Sessions.live("riff riff-2 riff-3")))
        #expect(effects == [.attach(try Self.name("riff-3")), .probe(after: .zero)])
        // A word that stays wrong is not asked about again.
        #expect(machine.handle(.listed(try Sessions.live("riff riff-2 riff-3"))).isEmpty)
    }

    @Test func `a session that ends by itself is asked about, and its page goes`() throws {
        var machine = try Self.running("riff riff-2")
        #expect(machine.handle(.ended(try Self.name("riff-2"), .exited)) == [.probe(after: .zero)])
        #expect(machine.handle(.listed(try Sessions.live("riff"))) == [.detach(try Self.name("riff-2"))])
        #expect(machine.list.names == [.base])
    }

    // MARK: Terminals

    @Test func `a terminal that ended while its session goes on comes back at the next edge, not before`() throws {
        var machine = try Self.running("riff riff-2")
        let name = try Self.name("riff-2")
        _ = machine.handle(.ended(name, .exited))
        #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))).isEmpty)
        #expect(machine.handle(.foregrounded) == [.probe(after: .zero)])
        #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))) == [.detach(name), .attach(name)])
        // Or when somebody turns to it.
        _ = machine.handle(.ended(name, .exited))
        #expect(machine.handle(.activated(name)) == [.remember(name), .detach(name), .attach(name)])
    }

    @Test func `a page that could not be attached is tried again after 1, 2 and 4 seconds, then at an edge`() throws {
        var machine = try Self.running("riff riff-2")
        let name = try Self.name("riff-2")
        for seconds in [1, 2, 4] {
            #expect(machine.handle(.ended(name, .lost(isRetryable: true))) == [.probe(after: .seconds(seconds))])
            #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))) == [.detach(name), .attach(name)])
        }
        #expect(machine.handle(.ended(name, .lost(isRetryable: true))).isEmpty)
        #expect(machine.handle(.connected) == [.probe(after: .zero)])
        #expect(machine.handle(.listed(try Sessions.live("riff riff-2"))) == [.detach(name), .attach(name)])
        // Once it was there, it has three tries again.
        _ = machine.handle(.opened(name))
        #expect(machine.handle(.ended(name, .lost(isRetryable: true))) == [.probe(after: .seconds(1))])
        _ = machine.handle(.listed(try Sessions.live("riff riff-2")))
        #expect(machine.handle(.ended(name, .lost(isRetryable: false))).isEmpty)
    }

    @Test func `the page that somebody comes back to is dialed at once`() throws {
        var machine = try Self.running("riff riff-2")
        _ = machine.handle(.ended(.base, .lost(isRetryable: false)))
        #expect(machine.handle(.foregrounded) == [.detach(.base), .attach(.base), .probe(after: .zero)])
    }

    @Test func `healthy terminals are left alone, renamed sessions get new ones`() throws {
        var machine = try Self.running("riff$0 riff-2$1 riff-3$2 riff-4$3")
        _ = machine.handle(.foregrounded)
        #expect(machine.handle(.listed(try Sessions.live("riff-4$3 riff-3$2 riff-2$1 riff$0"))).isEmpty)
        _ = machine.handle(.foregrounded)
        let effects = machine.handle(.listed(try Sessions.live("riff$0 riff-2$1 work$2 riff-4$3")))
        #expect(effects == [.detach(try Self.name("riff-3")), .attach(try Self.name("work"))])
        // The base page never shows a session of another name.
        _ = machine.handle(.foregrounded)
        let displaced = machine.handle(.listed(try Sessions.live("other$0 riff-2$1 work$2 riff-4$3")))
        #expect(displaced == [.detach(.base), .attach(.base), .attach(try Self.name("other"))])
    }

    @Test(arguments: [true, false])
    func `a session that was replaced gets a new terminal once the old one is over`(_ isOverFirst: Bool) throws {
        var machine = try Self.running("riff$0 riff-2$1")
        let name = try Self.name("riff-2")
        let again: [Effect] = [.detach(name), .attach(name)]
        if isOverFirst {
            #expect(machine.handle(.ended(name, .exited)) == [.probe(after: .zero)])
            #expect(machine.handle(.listed(try Sessions.live("riff$0 riff-2$7"))) == again)
        } else {
            _ = machine.handle(.foregrounded)
            #expect(machine.handle(.listed(try Sessions.live("riff$0 riff-2$7"))).isEmpty)
            #expect(machine.handle(.ended(name, .exited)) == [.probe(after: .zero)])
            #expect(machine.handle(.listed(try Sessions.live("riff$0 riff-2$7"))) == again)
        }
    }

    @Test func `on a cellular network only the neighbors are attached`() throws {
        var machine = try Self.running("riff riff-2 riff-3 riff-4 riff-5", policy: .visible())
        let names = try Sessions.names("riff riff-2 riff-3 riff-4 riff-5")
        let effects = machine.handle(.activated(names[3]))
        #expect(
            effects == [.remember(names[3]), .detach(names[0]), .detach(names[1])]
                + [3, 4, 2].map { .attach(names[$0]) }
        )
        Self.settle(&machine, effects)
        #expect(machine.handle(.policyChanged(.eager)) == [.attach(names[1]), .attach(names[0])])
        #expect(machine.handle(.policyChanged(.visible(prefetch: 0))).count == 4)
    }

    @Test func `a new session is the active one, and is not attached twice`() throws {
        var machine = try Self.running("riff riff-2")
        let name = try Self.name("riff-3")
        #expect(machine.handle(.created(name)) == [.remember(name), .attach(name)])
        #expect(machine.handle(.created(name)).isEmpty)
        #expect(machine.handle(.closed(name)) == [.detach(name), .remember(try Self.name("riff-2"))])
        #expect(machine.handle(.closed(name)).isEmpty)
        #expect(machine.handle(.activated(name)).isEmpty)
    }
}
