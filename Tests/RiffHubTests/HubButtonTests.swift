// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHub
import Testing

struct HubButtonTests {
    @Test func `points are the same however the sound is cut, and show the loudest of each`() {
        var bytes: [UInt8] = []
        for index in 0..<5000 {
            let sample = Int16(clamping: (index * 7919) % 65_536 - 32_768)
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        var whole = HubWaveform()
        let expected = whole.process(bytes)
        #expect(expected.count == 5000 / 13 / 64)
        #expect(expected.allSatisfy { $0.count == HubWaveform.points })
        #expect(expected.joined().allSatisfy { (-1...1).contains($0) })
        for size in [1, 2, 3, 7, 640, 1663, 1664, 1665] {
            var cut = HubWaveform()
            var points: [[Float]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                points += cut.process(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(points == expected, "\(size)")
        }
        var silence = HubWaveform()
        #expect(silence.process([UInt8](repeating: 0, count: 1664)) == [[Float](repeating: 0, count: 64)])
        var peak = HubWaveform()
        var one = [UInt8](repeating: 0, count: 1664)
        (one[12], one[13]) = (0x00, 0x80)
        #expect(peak.process(one).first?.first == -1)
    }

    @Test func `the button follows the connection, the microphone and the agent's voice`() throws {
        #expect(HubSnapshot().button == .unavailable)
        var snapshot = HubSnapshot()
        snapshot.connection = .connected
        #expect(snapshot.button == .unavailable)
        snapshot.microphone = .recording
        #expect(snapshot.button == .send)
        snapshot.connection = .disconnected
        // What was said is not lost by a cut.
        #expect(snapshot.button == .send)
        let session = """
            {"session_id":"voice-1-abcdef","tmux_session":"t","status":"ready","created_at":1,"last_activity":1,\
            "label":"Sky","voice":"af_sky","speed":1,"mcp_connected":true,"status_text":""}
            """
        let list = "{\"type\":\"session_list\",\"sessions\":[\(session)]}"
        let opened = try HubSnapshot(after: [list], open: "voice-1-abcdef")
        #expect(opened.button == .record)
        let audio = #"{"type":"audio","session_id":"voice-1-abcdef","data":"SUQzBAAAAAAA"}"#
        let text = #"{"type":"assistant_text","session_id":"voice-1-abcdef","text":"Hello."}"#
        #expect(try HubSnapshot(after: [list, text, audio], open: "voice-1-abcdef").button == .interrupt)
        let all: [HubSnapshot.Button] = [.record, .send, .interrupt, .unavailable]
        #expect(Set(all.map(\.color)).count == 4)
        #expect(Set(all.map(\.label)).count == 4)
    }
}
