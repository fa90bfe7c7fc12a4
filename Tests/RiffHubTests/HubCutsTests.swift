// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffTesting
import TestSupport
import Testing

/// A scripted conversation whose connection is cut wherever it can be, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct HubCutsTests {
    private static func check(_ hub: SimulatedHub, _ name: String, turns: Int) {
        let isOver = hub.isOver
        #expect(isOver, "\(name): the conversation stopped")
        #expect(hub.hubHears == hub.recorded, "\(name): \(hub.hubHears) of \(hub.recorded)")
        let skipped = (0..<turns).count { hub.hasRival && $0 % 3 == 2 || hub.isInterjected && $0 % 4 == 3 }
        if !hub.answersEarly { #expect(hub.hubHears.count == turns - skipped, "\(name)") }
        #expect(hub.falseDones == 0, "\(name): what another client heard was ended")
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

    // MARK: Other generations, a second client, and people who do not wait

    enum Scene: CaseIterable {
        case words, inbox, rival, wordsRival, inboxRival, barge, wordsBarge, interjected, early

        func hub(turns: Int, cuts: Set<SimulatedHub.Cut> = [], outage: Duration = .zero) -> SimulatedHub {
            var hub = SimulatedHub(turns: turns, cuts: cuts, outage: outage)
            switch self {
            case .words, .wordsRival, .wordsBarge: hub.generation = .words
            case .interjected: (hub.generation, hub.isInterjected) = (.words, true)
            case .inbox, .inboxRival: hub.generation = .inbox
            case .rival, .barge, .early: break
            }
            hub.hasRival = [.rival, .wordsRival, .inboxRival].contains(self)
            hub.bargesIn = [.barge, .wordsBarge].contains(self)
            hub.answersEarly = self == .early
            return hub
        }
    }

    @Test(arguments: Scene.allCases)
    func `without a cut every scene comes to its end`(scene: Scene) throws {
        var hub = scene.hub(turns: 12)
        try hub.run(for: .seconds(600))
        Self.check(hub, "\(scene)", turns: 12)
        #expect(hub.rivalAnswers == (hub.hasRival ? 4 : 0))
        #expect((hub.interruptions > 0) == hub.bargesIn)
        #expect((hub.openings == 0) == hub.answersEarly)
    }

    @Test(arguments: Scene.allCases, [Duration.zero, .seconds(4)])
    func `one cut at every place of every scene`(scene: Scene, outage: Duration) throws {
        var whole = scene.hub(turns: 5)
        try whole.run(for: .seconds(600))
        // Whoever answers by itself needs a session, which the first message tells of.
        for place in (scene == .early ? 1 : 0)..<whole.messages {
            for cut in [SimulatedHub.Cut.before(place), .after(place)] {
                var hub = scene.hub(turns: 5, cuts: [cut], outage: outage)
                try hub.run(for: .seconds(900))
                Self.check(hub, "\(scene) \(cut)", turns: 5)
                #expect(hub.cutsMade == 1)
            }
        }
    }

    @Test(arguments: Scene.allCases, 1...2)
    func `200 cuts in every scene`(scene: Scene, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var cuts: Set<SimulatedHub.Cut> = []
        var place = 0
        while cuts.count < 200 {
            place += Int.random(in: 1...9, using: &random)
            cuts.insert(Bool.random(using: &random) ? .before(place) : .after(place))
        }
        var hub = scene.hub(turns: 300, cuts: cuts)
        try hub.run(for: .seconds(100_000))
        Self.check(hub, "\(scene) \(seed)", turns: 300)
        #expect(hub.cutsMade == 200)
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
