// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// The end of a client: what was recorded until then is kept, and whoever ends it finds everything over.
@Suite(.timeLimit(.minutes(5))) struct HubShutdownTests {
    @Test(arguments: [true, false], [true, false])
    func `what was recorded when the client ends is a lost answer`(isFinished: Bool, isEndedTwice: Bool) async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let source = MemoryAudioSource()
        let client = HubClient(
            try HubAddress("http://127.0.0.1:3460"),
            http: HubStandIn(),
            webSockets: sockets,
            devices: HubDevices(makeSource: { source })
        )
        await client.start()
        try await sockets.nextPeer().list()
        await client.shows { $0.card("af_sky")?.session != nil }
        await client.open(voice: "af_sky")
        await client.record()
        // 150 ms, which show in the level: the device has begun.
        try await source.push([UInt8](repeating: 1, count: 4_800))
        for await _ in client.levels { break }
        if isFinished { await client.finishRecording() }
        let other: Task<Void, Never>? = isEndedTwice ? Task { await client.shutdown() } : nil
        await client.shutdown()
        let snapshot = client.current
        #expect(snapshot.connection == .disconnected && snapshot.microphone == .closed)
        #expect(snapshot.failure?.code == "hub.answerUnsent" && snapshot.lostAnswers.count == 1)
        guard case .clip(let file)? = snapshot.lostAnswers.first?.content else {
            Issue.record("The recording is not kept.")
            return
        }
        #expect(try WAVReader.read(file).samples == [UInt8](repeating: 1, count: 4_800))
        await #expect(throws: TransportError.self) { try await source.push([0, 0]) }
        await other?.value
    }

    @Test(arguments: [true, false])
    func `a device that never begins holds up no end, and none is opened behind it`(isWaiting: Bool) async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let devices = HubDevices(makeSource: {
            let (never, writer) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            writer.finish()
            throw CancellationError()
        })
        try await withHub(
            try HubAddress("http://127.0.0.1:3460"),
            http: HubStandIn(),
            webSockets: sockets,
            devices: devices
        ) { client in
            try await sockets.nextPeer().list()
            await client.shows { $0.card("af_sky")?.session != nil }
            await client.open(voice: "af_sky")
            await client.record()
            guard isWaiting else { return }
            // Another one waits until the first is over.
            await client.discardRecording()
            await client.record()
        }
    }
}
