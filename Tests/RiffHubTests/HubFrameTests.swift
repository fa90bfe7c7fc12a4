// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffVoice
import Testing

@Suite struct HubFrameTests {
    @Test(arguments: [
        (#"{"type":"ping"}"#, HubMessage.ping),
        (#"{"type":"session_terminated","session_id":"a"}"#, .sessionTerminated(session: "a")),
        (#"{"session_id":"a","type":"session_ended"}"#, .sessionEnded(session: "a")),
        (
            #"{"type":"session_status","session_id":"a","status":"ready"}"#,
            .sessionStatus(session: "a", status: .ready, state: nil, text: nil)
        ),
        (
            #"{"type":"session_status","session_id":"a","state":"idle","status_text":"Waiting"}"#,
            .sessionStatus(session: "a", status: nil, state: .idle, text: "Waiting")
        ),
        (#"{"session_id":"a","type":"assistant_text","text":"Hi"}"#, .assistantText(session: "a", HubText("Hi"))),
        (
            #"{"session_id":"a","type":"assistant_text","text":"Hi","msg_id":"m","fire_and_forget":true}"#,
            .assistantText(session: "a", HubText("Hi", id: "m", isFireAndForget: true))
        ),
        (
            #"{"session_id":"a","type":"user_text","text":"x","interjection":true}"#,
            .userText(session: "a", HubText("x", isInterjection: true))
        ),
        (#"{"session_id":"a","type":"status","text":"Speaking..."}"#, .status(session: "a", text: "Speaking...")),
        (#"{"session_id":"a","type":"activity_text","text":"Waiting"}"#, .activity(session: "a", text: "Waiting")),
        (#"{"session_id":"a","type":"listening","state":"idle"}"#, .listening(session: "a")),
        (#"{"session_id":"a","type":"thinking"}"#, .thinking(session: "a")),
        (#"{"session_id":"a","type":"done"}"#, .done(session: "a", isProcessing: nil)),
        (#"{"session_id":"a","type":"done","processing":true}"#, .done(session: "a", isProcessing: true)),
        (#"{"session_id":"a","type":"user_ack","msg_id":"m","ack_id":"n"}"#, .userAck(session: "a", messageID: "m")),
        (#"{"type":"notification","level":3}"#, .unknown(type: "notification")),
    ])
    func `every type is read, and unknown members do not matter`(text: String, message: HubMessage) throws {
        #expect(try HubFrame(text: text).message == message)
        let more = text.dropLast() + #","later":{"x":[1]},"_meta":null}"#
        let frame = try HubFrame(text: String(more))
        #expect(frame.message == message)
        #expect(frame.json["later"] == ["x": [1]])
    }

    @Test func `a sound is told by its first bytes`() throws {
        for (data, encoding) in [("SUQzBA==", AudioClip.Encoding.mp3), ("//NExA==", .mp3), ("UklGRgAA", .wav)] {
            let frame = try HubFrame(
                text: #"{"session_id":"a","type":"audio","data":"\#(data)","name":"x.ogg","words":[{"word":"Hi","#
                    + #""start_time":0,"end_time":0.2},{"word":7}]}"#
            )
            guard case .audio("a", let audio) = frame.message else { Issue.record("\(frame.message)"); continue }
            #expect(audio.clip?.encoding == encoding)
            #expect(audio.words.map(\.text) == ["Hi"])
            #expect(frame.json["data"] == nil)
        }
    }

    @Test(arguments: [
        "", "x", "[]", "7", "{}", #"{"type":7}"#, #"{"type":"listening"}"#, #"{"type":"done","session_id":""}"#,
        #"{"type":"session_list"}"#, #"{"type":"session_list","sessions":{}}"#,
        #"{"type":"session_spawned","session":{}}"#, #"{"type":"audio","session_id":"a"}"#,
        #"{"type":"audio","session_id":"a","data":"//NEx"}"#, #"{"type":"audio","session_id":"a","data":"//NE xA=="}"#,
        #"{"type":"audio","session_id":"a","data":"__NExA=="}"#,
    ])
    func `what lacks what it must have is refused`(text: String) {
        #expect { try HubFrame(text: text) } throws: { ($0 as? HubError)?.code == .frameMalformed }
    }

    @Test func `sessions without an id are left out, and both words for the state are read`() throws {
        let frame = try HubFrame(
            text: #"{"type":"session_list","sessions":[{},{"session_id":"a","status":"starting"},"#
                + #"{"session_id":"b","state":"idle","status":"ready","unread_count":3,"in_wait":true,"new":1}]}"#
        )
        guard case .sessionList(let sessions) = frame.message else { Issue.record("\(frame.message)"); return }
        #expect(sessions.map(\.id) == ["a", "b"])
        #expect(sessions.map(\.isReady) == [false, true])
        #expect(sessions[1].unreadCount == 3 && sessions[1].isWaiting == true && sessions[1].json["new"] == 1)
    }

    @Test func `a frame cut anywhere is refused, and nothing traps`() throws {
        let text = #"{"session_id":"a","type":"audio","data":"//NExA==","words":[{"word":"é","start_time":0}]}"#
        for count in 0..<text.count {
            #expect(throws: HubError.self) { try HubFrame(text: String(text.prefix(count))) }
        }
    }
}

@Suite struct HubCommandTests {
    private static let all: HubFeatures = [.typedText, .acknowledgements]

    @Test(arguments: [
        (HubCommand.playbackDone(session: "a"), #"{"session_id":"a","type":"playback_done"}"#),
        (.audio(session: "a", [1, 2, 3, 4]), #"{"session_id":"a","type":"audio","data":"AQIDBA=="}"#),
        (.audio(session: "a", []), #"{"session_id":"a","type":"audio","data":""}"#),
        (.text(session: "a", "é\"\n"), #"{"session_id":"a","type":"text","text":"é\"\n"}"#),
        (.interjection(session: "a", "x"), #"{"session_id":"a","type":"interjection","text":"x"}"#),
        (.mode(session: "a", "text"), #"{"session_id":"a","type":"set_mode","mode":"text"}"#),
        (.userAck(session: "a", messageID: "m"), #"{"session_id":"a","type":"user_ack","msg_id":"m"}"#),
    ])
    func `commands have exactly the members that hubs know`(command: HubCommand, text: String) throws {
        let json = try JSONValue(parsing: try command.message(for: Self.all))
        #expect(try json == JSONValue(parsing: text))
    }

    @Test func `a hub is sent nothing that it does not know`() throws {
        for command in [
            HubCommand.text(session: "a", "x"), .interjection(session: "a", "x"), .mode(session: "a", "text"),
            .userAck(session: "a", messageID: "m"),
        ] {
            #expect { try command.message(for: HubGeneration.first.features) } throws: {
                ($0 as? HubError)?.code == .unsupported
            }
        }
        #expect {
            try HubCommand.userAck(session: "a", messageID: "m").message(for: HubGeneration.words.features)
        } throws: {
            ($0 as? HubError)?.code == .unsupported
        }
        #expect(throws: Never.self) {
            try HubCommand.text(session: "a", "x").message(for: HubGeneration.words.features)
        }
    }

    @Test func `a command without session, and a clip that no hub takes, are refused here`() {
        #expect { try HubCommand.playbackDone(session: "").message(for: []) } throws: {
            ($0 as? HubError)?.code == .commandInvalid
        }
        let clip = [UInt8](repeating: 0, count: HubCommand.clipBytes + 1)
        #expect { try HubCommand.audio(session: "a", clip).message(for: []) } throws: {
            ($0 as? HubError)?.code == .clipTooLarge
        }
        // The server's cap of a frame.
        let text = try? HubCommand.audio(session: "voice-12-abcdef", Array(clip.dropLast())).message(for: [])
        #expect((text?.utf8.count ?? .max) <= 16 << 20)
    }
}
