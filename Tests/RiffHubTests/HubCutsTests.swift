// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffTesting
import Testing

/// A scripted conversation whose connection is cut wherever it can be, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct HubCutsTests {
    private static func check(_ hub: SimulatedHub, _ name: String, turns: Int) {
        let isOver = hub.isOver
        #expect(isOver, "\(name): the conversation stopped")
        #expect(hub.hubHears == hub.recorded, "\(name): \(hub.hubHears) of \(hub.recorded)")
        #expect(hub.hubHears.count == turns, "\(name)")
        #expect(hub.drained == 0, "\(name)")
        #expect(hub.longestMicrophone <= .seconds(30), "\(name)")
        #expect(hub.longestTranscribing <= .seconds(30), "\(name)")
    }

    @Test func `without a cut every answer arrives`() throws {
        var hub = SimulatedHub(turns: 10)
        try hub.run(for: .seconds(600))
        Self.check(hub, "no cut", turns: 10)
        #expect(hub.stage.now < .seconds(60))
    }

    @Test(arguments: [Duration.zero, .seconds(4)])
    func `one cut at every place, before and after each message`(outage: Duration) throws {
        var whole = SimulatedHub(turns: 4)
        try whole.run(for: .seconds(600))
        var cuts = 0
        for place in 0..<whole.messages {
            for cut in [SimulatedHub.Cut.before(place), .after(place)] {
                var hub = SimulatedHub(turns: 4, cuts: [cut], outage: outage)
                try hub.run(for: .seconds(600))
                Self.check(hub, "\(cut)", turns: 4)
                cuts += hub.cutsMade
            }
        }
        #expect(cuts == whole.messages * 2)
    }

    @Test(arguments: 1...8)
    func `200 cuts in one conversation: no answer is lost, none is said twice, and no microphone is stuck`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var cuts: Set<SimulatedHub.Cut> = []
        var place = 0
        while cuts.count < 200 {
            place += Int.random(in: 1...9, using: &random)
            cuts.insert(Bool.random(using: &random) ? .before(place) : .after(place))
        }
        var hub = SimulatedHub(turns: 250, cuts: cuts)
        // So long that the connection may be lost, made anew and lost again meanwhile.
        hub.transcription = .seconds(seed.isMultiple(of: 2) ? 6 : 0.5)
        try hub.run(for: .seconds(100_000))
        Self.check(hub, "seed \(seed)", turns: 250)
        #expect(hub.cutsMade == 200, "only \(hub.cutsMade) cuts were made")
    }
}
