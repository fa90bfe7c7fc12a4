// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import Testing

/// A machine with its time, and what it wanted so far.
struct Stage {
    var machine = HubMachine()
    /// What a client shows of it, event by event; after each it must be what the whole machine shows.
    var picture = HubPicture()
    var shown = HubSnapshot()
    var now = Duration.zero
    var effects: [HubEffect] = []
    var socket = 1
    /// Whether what is sent arrives at once, as on a fast connection.
    var arrives = true

    /// A client that is connected to a hub with these sessions, one of them open.
    static func connected(
        _ sessions: [String] = [Stage.session("voice-1-a", "af_sky")],
        open: HubSession.ID? = "voice-1-a",
        settings: String = #"{"model":"opus","auto_record":false,"auto_end":true,"auto_interrupt":false}"#
    ) throws -> Stage {
        var stage = Stage()
        try stage.connect(sessions, settings: settings)
        if let open { stage.send(.openSession(open)) }
        stage.tellEmptyHistories()
        stage.effects = []
        return stage
    }

    static func session(
        _ id: HubSession.ID,
        _ voice: HubVoice.ID,
        status: String = "ready",
        text: String = "",
        more: String = ""
    ) -> String {
        #"{"session_id":"\#(id)","voice":"\#(voice)","label":"x","status":"\#(status)","status_text":"\#(text)","#
            + #""speed":1.0,"mcp_connected":true\#(more)}"#
    }

    mutating func connect(_ sessions: [String], settings: String) throws {
        send(.connection(.start))
        send(.connection(.opened(socket: socket)))
        send(.settingsChanged(HubSettings(json: try #require(try JSONValue(parsing: settings).object))))
        try list(sessions)
    }

    mutating func list(_ sessions: [String]) throws {
        try hear(json: #"{"type":"session_list","sessions":[\#(sessions.joined(separator: ","))]}"#)
    }

    /// The connection is lost, and made anew at once; the hub's first message is not sent yet.
    mutating func reconnect() {
        send(.connection(.closed(socket: socket)))
        send(.connection(.foreground))
        socket += 1
        send(.connection(.opened(socket: socket)))
    }

    /// The hub answers every request for a history so far: nothing was said.
    mutating func tellEmptyHistories() {
        for (voice, request) in effects.historyRequests {
            send(.history(voice: voice, request: request, HubService.HistoryPage([])))
        }
    }

    /// The hub answers the last request for Sky's history.
    mutating func tellHistory(_ messages: [HubChatMessage]) throws {
        let request = try #require(effects.historyRequests.last).request
        send(.history(voice: "af_sky", request: request, HubService.HistoryPage(messages)))
    }

    /// Gives one event to the machine; what it wants is not noted.
    mutating func handle(_ event: HubEvent) -> [HubEffect] {
        let new = machine.handle(event, at: now)
        let before = shown
        let differs = picture.update(&shown, from: machine)
        #expect(shown == HubSnapshot(machine), "after \(event)")
        #expect(differs == (shown != before), "after \(event)")
        return new
    }

    @discardableResult
    mutating func send(_ event: HubEvent) -> [HubEffect] {
        var new = handle(event)
        if arrives {
            for case .send(_, let command, let answer?) in new {
                new += handle(.arrived(session: command.session, answer: answer))
            }
        }
        effects += new
        return new
    }

    /// A message of the hub.
    @discardableResult
    mutating func hear(json: String) throws -> [HubEffect] {
        send(.frame(socket: socket, try HubFrame(text: json)))
    }

    /// A message of the hub to one session.
    @discardableResult
    mutating func hear(_ type: String, _ members: String = "", in session: HubSession.ID = "voice-1-a") throws
        -> [HubEffect]
    {
        try hear(json: #"{"type":"\#(type)","session_id":"\#(session)"\#(members.isEmpty ? "" : "," + members)}"#)
    }

    /// A sound of the hub: MP3 by its first bytes.
    @discardableResult
    mutating func hearSound(_ mark: UInt8, in session: HubSession.ID = "voice-1-a") throws -> [HubEffect] {
        let data = Data([0xFF, 0xFB, 0x90, mark]).base64EncodedString()
        return try hear("audio", #""data":"\#(data)""#, in: session)
    }

    /// Moves on to each deadline up to a time.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            send(.tick)
            guard let next = machine.deadline, next <= now else { continue }
            Issue.record("A deadline that has passed stays.")
            break
        }
        now = end
    }

    /// Sky's card: it is one of the seven, which are always there.
    var card: HubCard { HubGrid.cards(machine)[0] }

    /// The commands that were said, in order.
    var said: [HubCommand] { effects.said }
    /// The clip that is being played.
    var playing: Int? {
        effects.reversed().lazy.compactMap { if case .play(let clip, _) = $0 { clip.number } else { nil } }.first
    }
    /// How many clips were played.
    var plays: Int { effects.count { if case .play = $0 { true } else { false } } }
    /// The microphones that were opened.
    var microphones: [Int] {
        effects.compactMap { if case .openMicrophone(let number, _) = $0 { number } else { nil } }
    }
}

extension [HubEffect] {
    var said: [HubCommand] { compactMap { if case .send(_, let command, _) = $0 { command } else { nil } } }
    var spawned: [HubVoice.ID] { compactMap { if case .spawn(let voice) = $0 { voice } else { nil } } }
    var historyRequests: [(voice: HubVoice.ID, request: HubSequenceNumber)] {
        compactMap { if case .fetchHistory(let voice, let request) = $0 { (voice, request) } else { nil } }
    }
    var settingsRequests: [HubSequenceNumber] {
        compactMap { if case .fetchSettings(let request) = $0 { request } else { nil } }
    }
    var sessionRequests: [HubSequenceNumber] {
        compactMap { if case .fetchSessions(let request) = $0 { request } else { nil } }
    }
}
