// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Real terminals of 159x72 and 47x49 on a real tmux.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: DriverLab.isInstalled, "tmux is not installed"))
    struct DriverSeatsTests {
        private let desk: RiffIdentifier
        private let phone: RiffIdentifier
        private let name = SessionName.base

        init() throws {
            desk = try RiffIdentifier("desk-1")
            phone = try RiffIdentifier("phone_2")
        }

        @Test func `without the policy each key changes the size`() async throws {
            try await DriverLab.with { lab in
                var large = try await lab.terminal(DriverLab.desktop, viewer: nil)
                try await lab.watch()
                var small = try await lab.terminal(DriverLab.phone, viewer: nil)
                try await large.type("one")
                try await small.type("two")
                try await large.type("three")
                #expect(try await lab.sizes() == ["47x49", "159x72", "47x49", "159x72"])
            }
        }

        @Test func `the size changes at a hand-over, and at nothing else`() async throws {
            try await DriverLab.with { lab in
                var large = try await lab.terminal(DriverLab.desktop, viewer: desk)
                #expect(try await lab.size() == "159x72")
                try await lab.watch()
                var small = try await lab.terminal(DriverLab.phone, viewer: phone)
                let (deskSeats, phoneSeats) = (lab.seats(desk), lab.seats(phone))
                #expect(try await deskSeats.update() == [name: .driving])
                let observing = try await phoneSeats.update()[name]
                guard case .observing(let driver)? = observing else {
                    Issue.record("the second one is \(String(describing: observing))")
                    return
                }
                #expect(driver.size == DriverLab.desktop)
                for word in ["one", "two", "three"] {
                    try await small.type("\(word)-small")
                    try await large.type("\(word)-large")
                }
                try await lab.resize(small, to: TerminalSize(columns: 40, rows: 30))
                try await lab.resize(small, to: DriverLab.phone)
                #expect(try await lab.sizes() == [])

                try await phoneSeats.drive(name)
                #expect(try await lab.sizes() == ["47x49"])
                #expect(phoneSeats.current == [name: .driving])
                try await large.type("four")
                try await small.type("five")
                _ = try await (deskSeats.update(), phoneSeats.update())
                #expect(try await lab.sizes() == ["47x49"])
                #expect(try await lab.flags()["159x72"]?.contains("ignore-size") == true)

                try await deskSeats.drive(name)
                try await small.type("six")
                #expect(try await lab.sizes() == ["47x49", "159x72"])
                // The driver's own size is the session's.
                try await lab.resize(large, to: TerminalSize(columns: 120, rows: 50))
                #expect(try await lab.sizes() == ["47x49", "159x72", "120x50"])
            }
        }

        @Test(arguments: [false, true])
        func `a driver that is killed frees the lease, and who observed drives`(besideAnother: Bool) async throws {
            try await DriverLab.with { lab in
                let large = try await lab.terminal(DriverLab.desktop, viewer: desk)
                // A terminal that counts on another session of the server: to tmux that is enough to go on ignoring
                // those who observe here.
                let other = besideAnother ? try await lab.terminal(.standard, viewer: desk, session: "riff-2") : nil
                try await lab.watch()
                var small = try await lab.terminal(DriverLab.phone, viewer: phone)
                let seats = lab.seats(phone)
                try await seats.update()
                try await lab.kill(DriverLab.desktop)
                #expect(try await lab.size() == (besideAnother ? "159x72" : "47x49"))
                #expect(try await seats.update()[name] == .driving)
                #expect(try await lab.sizes() == ["47x49"])
                try await small.type("mine")
                // Back again, the former driver observes.
                let again = try await lab.terminal(DriverLab.desktop, viewer: desk)
                #expect(try await lab.sizes() == ["47x49"])
                guard case .observing? = try await lab.seats(desk).update()[name] else {
                    Issue.record("the former driver does not observe")
                    return
                }
                for terminal in [large, other, again].compactMap(\.self) { await terminal.terminal.disconnect() }
            }
        }

        @Test func `a driver that comes back after a cut drives on, also while the host still holds its old client`()
            async throws
        {
            try await DriverLab.with { lab in
                let old = try await lab.terminal(DriverLab.phone, viewer: phone)
                try await lab.watch()
                let large = try await lab.terminal(DriverLab.desktop, viewer: desk)
                // The phone was turned meanwhile, so that its two clients differ.
                let turned = TerminalSize(columns: 100, rows: 20)
                var new = try await lab.terminal(turned, viewer: phone)
                let seats = lab.seats(phone)
                #expect(try await seats.update()[name] == .driving)
                #expect(try await lab.size() == "100x20")
                #expect(try await lab.flags()["47x49"]?.contains("ignore-size") == true)
                #expect(try await lab.flags()["100x20"]?.contains("ignore-size") == false)
                guard case .observing? = try await lab.seats(desk).update()[name] else {
                    Issue.record("the other one does not observe")
                    return
                }
                // The host notices the loss at last: nothing changes.
                try await lab.kill(DriverLab.phone)
                try await new.type("here")
                #expect(try await seats.update()[name] == .driving)
                #expect(try await lab.sizes() == ["100x20"])
                for terminal in [old, large] { await terminal.terminal.disconnect() }
            }
        }

        @Test func `a person's own attach is left alone, and gets its size`() async throws {
            try await DriverLab.with { lab in
                let small = try await lab.terminal(DriverLab.phone, viewer: phone)
                let seats = lab.seats(phone)
                #expect(try await seats.update()[name] == .driving)
                try await lab.watch()
                var own = try await lab.terminal(DriverLab.desktop, viewer: nil)
                let before = try await lab.flags()["159x72"]
                guard case .deferredToForeignClient(let foreign)? = try await seats.update()[name] else {
                    Issue.record("the front end does not yield")
                    return
                }
                #expect(foreign.map(\.size) == [DriverLab.desktop])
                var mine = small
                try await mine.type("from the phone")
                try await own.type("from the desk")
                try await mine.type("from the phone again")
                #expect(try await lab.sizes() == ["159x72"])
                // Not even on purpose.
                let error = await #expect(throws: CoreError.self) { try await seats.drive(name) }
                #expect(error?.code == .foreignDriver)
                #expect(error?.message.contains(try #require(foreign.first?.name)) == true)
                #expect(try await lab.flags()["159x72"] == before)
                #expect(try await lab.sizes() == ["159x72"])
                // It leaves of its own will, and the front end drives again.
                try await lab.awaiting("client-detached") { await own.terminal.disconnect() }
                #expect(try await seats.update()[name] == .driving)
                #expect(try await lab.sizes() == ["159x72", "47x49"])
            }
        }

        @Test func `of many that find a free seat one takes it`() async throws {
            try await DriverLab.with { lab in
                let keeper = try await lab.terminal(DriverLab.desktop, viewer: desk)
                var crowd: [(DriverTerminal, DriverSeats)] = []
                for number in 1...6 {
                    let viewer = try RiffIdentifier("viewer-\(number)")
                    let size = TerminalSize(columns: 50 + number, rows: 20 + number)
                    crowd.append((try await lab.terminal(size, viewer: viewer), lab.seats(viewer)))
                }
                try await lab.watch()
                try await lab.kill(DriverLab.desktop)
                let all = crowd.map(\.1)
                try await withThrowingTaskGroup { group in
                    for seats in all { group.addTask { try await seats.update() } }
                    try await group.waitForAll()
                }
                for seats in all { try await seats.update() }
                #expect(all.count { $0.current[name] == .driving } == 1)
                #expect(try await lab.flags().values.count { !$0.contains("ignore-size") } == 1)
                await keeper.terminal.disconnect()
            }
        }

        @Test func `who follows the server's word takes the seat that becomes free`() async throws {
            try await DriverLab.with { lab in
                let large = try await lab.terminal(DriverLab.desktop, viewer: desk)
                try await lab.watch()
                let small = try await lab.terminal(DriverLab.phone, viewer: phone)
                let seats = lab.seats(phone)
                let word = StateSource(TmuxServerState())
                func tell(_ clients: Int) {
                    let session = LiveSession(name: name, id: "$0", created: 1, clients: clients, windows: 1)
                    word.update(TmuxServerState(status: .live, sessions: [session]))
                }
                async let following: Void = seats.follow(word)
                tell(2)
                for await standings in seats.updates() { if case .observing? = standings[name] { break } }
                try await lab.kill(DriverLab.desktop)
                tell(1)
                for await standings in seats.updates() where standings[name] == .driving { break }
                #expect(try await lab.size() == "47x49")
                word.finish()
                try await following
                for terminal in [large, small] { await terminal.terminal.disconnect() }
            }
        }

        @Test func `without a server there is nothing to settle, and nothing to drive`() async throws {
            try await DriverLab.with { lab in
                let seats = lab.seats(desk)
                let standings = try await seats.update()
                #expect(standings.isEmpty)
                let error = await #expect(throws: CoreError.self) { try await seats.drive(name) }
                #expect(error?.code == .notAttached)
            }
        }

        @Test func `a host without tmux is an error that says so`() async throws {
            let seats = DriverSeats(as: desk, server: TmuxServer()) { _ in
                try DriverSeats.checked([], status: 127, diagnostics: "sh: 1: tmux: not found\n", host: "box")
            }
            let error = await #expect(throws: TransportError.self) { try await seats.update() }
            #expect(error?.code == .driverFailed)
            #expect(error?.message.contains("tmux: not found") == true)
        }
    }
}

extension RealServers {
    @Suite(.enabled(if: DriverLab.isInstalled, "tmux is not installed"))
    struct DriverSeatsOverSSHTests {
        @Test func `two devices on one session of a host hand over, and a dead one frees its seat`() async throws {
            try await SSHLab.with { ssh in
                try await DriverLab.with { lab in
                    let (desk, phone) = (try RiffIdentifier("desk"), try RiffIdentifier("phone"))
                    let hosts = (try ssh.host(), try ssh.host())
                    let spec = NewSessionSpec(harness: DriverLab.harness)
                    func open(_ host: SSHHost, _ size: TerminalSize, _ viewer: RiffIdentifier) async throws
                        -> (TerminalSession, TerminalText)
                    {
                        let session = try await host.session(
                            "riff",
                            size: size,
                            server: lab.server,
                            spec: spec,
                            viewer: viewer
                        )
                        var output = TerminalText(session.output)
                        try await output.read(through: "ready")
                        return (session, output)
                    }
                    var (large, largeText) = try await open(hosts.0, DriverLab.desktop, desk)
                    try await lab.watch()
                    var (small, smallText) = try await open(hosts.1, DriverLab.phone, phone)
                    let deskSeats = DriverSeats(as: desk, on: hosts.0, server: lab.server)
                    let phoneSeats = DriverSeats(as: phone, on: hosts.1, server: lab.server)
                    #expect(try await deskSeats.update() == [.base: .driving])
                    for round in 1...3 {
                        try await small.write(Array("small\(round)\r".utf8))
                        try await smallText.read(through: "small\(round)")
                        try await large.write(Array("large\(round)\r".utf8))
                        try await largeText.read(through: "large\(round)")
                    }
                    #expect(try await lab.sizes() == [])
                    try await phoneSeats.drive(.base)
                    #expect(try await lab.sizes() == ["47x49"])
                    try await large.write(Array("still\r".utf8))
                    try await largeText.read(through: "still")
                    try await deskSeats.drive(.base)
                    #expect(try await lab.sizes() == ["47x49", "159x72"])
                    // Its client on the host dies without a word.
                    try await lab.kill(DriverLab.desktop)
                    #expect(try await phoneSeats.update() == [.base: .driving])
                    #expect(try await lab.sizes() == ["47x49", "159x72", "47x49"])
                    try await small.write(Array("mine\r".utf8))
                    try await smallText.read(through: "mine")
                    await large.close()
                    await small.close()
                }
            }
        }
    }
}
