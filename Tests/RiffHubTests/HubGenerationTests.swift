// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubGenerationTests {
    private static func settings(_ text: String) throws -> HubGeneration? {
        var evidence = HubGenerationEvidence()
        evidence.settings(try JSONValue(parsing: text).object ?? [:])
        return evidence.generation
    }

    @Test(arguments: [
        (#"{"model":"opus","auto_record":false,"auto_end":true,"auto_interrupt":false}"#, HubGeneration.first),
        (#"{"model":"opus","auto_record":false,"voice_responses":true}"#, .words),
        (#"{"model":"opus","voice_responses":true,"deployment_mode":"local"}"#, .inbox),
        (#"{"model":"opus","voice_responses":true,"deployment_mode":"local","effort":"high"}"#, .paged),
        (#"{"deployment_mode":"local","tts_enabled":true,"stt_enabled":true}"#, .paged),
    ])
    func `the keys of the settings tell the generations apart`(text: String, generation: HubGeneration) throws {
        #expect(try Self.settings(text) == generation)
    }

    @Test(arguments: [
        (#"{"type":"session_list","sessions":[{"session_id":"a","mcp_connected":true}]}"#, HubGeneration.first),
        (#"{"type":"session_list","sessions":[{"session_id":"a","unread_count":0}]}"#, .words),
        (#"{"type":"session_list","sessions":[{"session_id":"a","state":"idle"}]}"#, .inbox),
        (#"{"type":"session_list","sessions":[{"session_id":"a","state":"idle","backend":"x"}]}"#, .paged),
        (#"{"type":"thinking","session_id":"a"}"#, .words),
        (#"{"type":"session_status","session_id":"a","state":"idle"}"#, .inbox),
        (#"{"type":"session_status","session_id":"a","state":"idle","backend":"claude"}"#, .paged),
        (#"{"type":"inbox_update","session_id":"a","count":1}"#, .inbox),
        (#"{"type":"session_spawned","session":{"session_id":"a","state":"idle"}}"#, .inbox),
        (#"{"type":"session_list","sessions":[{"session_id":"a","state":"idle","model_id":"x"}]}"#, .paged),
        (#"{"type":"user_ack","session_id":"a","msg_id":"m"}"#, .inbox),
        (#"{"type":"activity_text","session_id":"a","text":"Reads"}"#, .inbox),
        (#"{"type":"structured_event","session_id":"a"}"#, .paged),
        (#"{"type":"io_message","agentId":"adam","replaySeq":1}"#, .chat),
        (#"{"type":"response","requestId":"1","replaySeq":2}"#, .chat),
    ])
    func `so do messages and sessions`(text: String, generation: HubGeneration) throws {
        var evidence = HubGenerationEvidence()
        evidence.frame(try HubFrame(text: text))
        #expect(evidence.generation == generation)
    }

    @Test func `a hub is never found to be older than it was`() throws {
        var evidence = HubGenerationEvidence()
        evidence.settings(["deployment_mode": "local"])
        evidence.frame(try HubFrame(text: #"{"type":"thinking","session_id":"a"}"#))
        #expect(evidence.generation == .inbox)
        evidence.frame(try HubFrame(text: #"{"type":"ping"}"#))
        #expect(evidence.generation == .inbox)
    }

    @Test func `features grow with the age`() {
        #expect(HubGeneration.first.features.isEmpty)
        #expect(HubGeneration.words.features == [.typedText, .unreadCounts, .speech, .usage])
        #expect(HubGeneration.inbox.features.isSuperset(of: [.states, .acknowledgements]))
        #expect(HubGeneration.paged.features.contains(.historyPages))
        #expect(HubGeneration(rawValue: "later").features.isEmpty)
    }

    @Test func `the newest protocol is refused with an error that says so, and is not tried again`() throws {
        var stage = try Stage.connected()
        let effects = try stage.hear(json: #"{"type":"io_message","agentId":"adam","channelId":"c","replaySeq":4}"#)
        #expect(effects == [.drop(socket: 1)])
        #expect(stage.machine.isRefused)
        #expect(stage.machine.failure?.code == "hub.generationUnsupported")
        #expect(stage.machine.failure?.message.contains("0f4ce3d") == true)
        stage.effects = []
        stage.pass(.seconds(3_600))
        stage.send(.connection(.foreground))
        #expect(!stage.effects.contains { if case .connect = $0 { true } else { false } })
    }
}
