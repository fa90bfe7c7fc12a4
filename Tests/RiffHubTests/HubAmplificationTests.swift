// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import Testing

/// What a hub's words cost: read and shown at once, twice and four times their length, work grows with the length, and
/// what is kept has a bound.
@Suite(.timeLimit(.minutes(2))) struct HubAmplificationTests {
    /// Something that a hub can say at any length.
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Its work at a size.
        let work: @Sendable (_ size: Int) throws -> Void

        init(_ name: String, _ work: @escaping @Sendable (_ size: Int) throws -> Void) {
            (testDescription, self.work) = (name, work)
        }
    }

    private static func sessions(_ count: Int) -> [String] {
        (0..<count).map { Stage.session(HubSession.ID(rawValue: "s\($0)"), HubVoice.ID(rawValue: "v\($0)")) }
    }

    private static func read(_ text: String) throws { _ = try HubFrame(text: text) }

    private static let inputs = [
        Input("a list of sessions") { size in
            try read(#"{"type":"session_list","sessions":[\#(sessions(size).joined(separator: ","))]}"#)
        },
        Input("projects, which are not known") { size in
            let projects = (0..<size).map { #""p\#($0)":{"name":"x","voices":["a","b"]}"# }.joined(separator: ",")
            try read(#"{"type":"project_list","projects":{\#(projects)}}"#)
        },
        Input("words with their times") { size in
            let word = #"{"word":"a","start_time":0.5,"end_time":0.75}"#
            let words = [String](repeating: word, count: size).joined(separator: ",")
            try read(#"{"type":"audio","session_id":"s","data":"//uQAQ==","words":[\#(words)]}"#)
        },
        Input("a sound") { size in
            let data = Data(repeating: 0xFF, count: size * 64).base64EncodedString()
            try read(#"{"type":"audio","session_id":"s","data":"\#(data)"}"#)
        },
        Input("a state with members that are not known") { size in
            let members = (0..<size).map { #""m\#($0)":"\u00e9\#($0)""# }.joined(separator: ",")
            try read(#"{"type":"session_status","session_id":"s","state":"idle",\#(members)}"#)
        },
        Input("settings") { size in
            _ = HubSettings(json: JSONObject((0..<size).map { ("s\($0)", JSONValue.string("x")) }))
        },
        Input("a history, and again with words between that it lacks") { size in
            let told = (0..<size).map { HubChatMessage(.assistant, "a\($0)", time: Double($0)) }
            var history = HubHistory()
            history.merge(told, askedAt: 0)
            for number in 0..<100 { history.append(HubChatMessage(.user, "u\(number)")) }
            history.merge(told, askedAt: history.mark)
        },
        Input("texts to one session") { size in
            var machine = try connected()
            for number in 0..<size {
                let text = #"{"type":"assistant_text","session_id":"s0","text":"a\#(number)"}"#
                _ = machine.handle(.frame(socket: 1, try HubFrame(text: text)), at: .zero)
            }
        },
        Input("a replay to many sessions") { size in
            // Each message looks at the sessions that wait for something, of which there are 1,024 at most.
            var machine = try connected(sessions: 256)
            for number in 0..<size {
                let id = "s\(number % 256)"
                let text = #"{"type":"assistant_text","session_id":"\#(id)","text":"a\#(number)"}"#
                _ = machine.handle(.frame(socket: 1, try HubFrame(text: text)), at: .zero)
            }
        },
    ]

    private static func connected(sessions count: Int = 1) throws -> HubMachine {
        var machine = HubMachine()
        _ = machine.handle(.connection(.start), at: .zero)
        _ = machine.handle(.connection(.opened(socket: 1)), at: .zero)
        let list = #"{"type":"session_list","sessions":[\#(sessions(count).joined(separator: ","))]}"#
        _ = machine.handle(.frame(socket: 1, try HubFrame(text: list)), at: .zero)
        return machine
    }

    /// The least time of three runs: what else the machine does only adds to it.
    private static func time(_ input: Input, _ size: Int) throws -> Duration {
        let clock = ContinuousClock()
        var least = Duration.seconds(3_600)
        for _ in 1...3 { least = min(least, try clock.measure { try input.work(size) }) }
        return least
    }

    @Test(arguments: inputs) func `work grows with the length`(input: Input) throws {
        let (once, twice, fourfold) = (
            try Self.time(input, 1_000), try Self.time(input, 2_000), try Self.time(input, 4_000)
        )
        // Quadratic work takes 4 and 16 times as long; what is short is measured badly.
        let slack = Duration.milliseconds(40)
        #expect(twice <= once * 3 + slack && fourfold <= once * 8 + slack, "\(once), \(twice), \(fourfold)")
    }

    @Test func `what is kept of it has a bound`() throws {
        for size in [1_000, 2_000, 4_000] {
            var machine = try Self.connected(sessions: size)
            for number in 0..<size {
                for text in [
                    #"{"type":"assistant_text","session_id":"s0","text":"a\#(number)"}"#,
                    #"{"type":"nobody_knows_\#(number)","text":"\#(number)"}"#,
                ] {
                    _ = machine.handle(.frame(socket: 1, try HubFrame(text: text)), at: .zero)
                }
            }
            _ = machine.handle(.openSession("s0"), at: .zero)
            let snapshot = HubSnapshot(machine)
            #expect(snapshot.cards.count <= 7 + 1_024 && snapshot.open?.chat.count == 50)
            #expect(snapshot.unknownMessages.count == 8)
        }
    }
}
