// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// How a login ends in which a person is waited for, or in which the server is hostile.
    @Suite(.enabled(if: SSHPeer.isThere, "scripts/fetch-ssh-peer was not run")) struct SSHLoginEndsTests {
        private static let asking = #"{"u": {"rounds": [["", "", [["Code: ", false]]]]}}"#

        @Test func `a person who does not answer is told so, and asked once`() async throws {
            try await SSHPeer.with(Self.asking) { peer in
                let (person, ended) = Self.absentPerson()
                let host = try peer.host("u", [.questions], person) { $0.personTimeout = .seconds(2).patient }
                let error = await transportError { try await host.connect() }
                #expect(error?.code == .personAbsent)
                #expect(await ended.value())
                #expect(person.seen.count == 1)
            }
        }

        @Test func `a server that closes while a person is asked takes the question back`() async throws {
            let scenarios = #"{"u": {"rounds": [["", "", [["Code: ", false]]]], "close_when_asked": 0.3}}"#
            try await SSHPeer.with(scenarios) { peer in
                let (person, ended) = Self.absentPerson()
                let host = try peer.host("u", [.questions], person) {
                    $0.reconnect = ReconnectPolicy(delays: [.seconds(600)])
                }
                let error = await transportError { try await host.connect() }
                #expect(error?.code == .connectionLost)
                #expect(error?.message.contains("answer") == true)
                #expect(await ended.value())
            }
        }

        @Test func `a dial that is given up takes the question back, and the server gets no answer`() async throws {
            try await SSHPeer.with(Self.asking) { peer in
                let (person, ended) = Self.absentPerson()
                let host = try peer.host("u", [.questions], person)
                let dial = Task { try await host.connect() }
                try await waitUntil { !person.seen.isEmpty }
                await host.shutdown()
                #expect(await ended.value())
                #expect(await dial.result.isFailure)
                try await waitUntil { !peer.saw("lost").isEmpty }
                #expect(peer.saw("answers").isEmpty)
            }
        }

        @Test func `a person can think longer than a step may take, and other hosts of the loop go on`() async throws {
            try await SSHPeer.with(#"{"u": {"rounds": [["", "", [["Code: ", false]]]]}, "v": {"open": true}}"#) {
                peer in
                let other = try peer.host("v", [])
                let person = TestPerson { _ in
                    // Every loop has to serve a dial meanwhile.
                    for _ in 0..<4 { #expect(try await other.text(of: "x") == "in\n") }
                    try await ContinuousClock().sleep(for: .milliseconds(1_500))
                    return [Secret("x")]
                }
                let hosts = try (0..<8).map { _ in
                    try peer.host("u", [.questions], person) { $0.operationTimeout = .seconds(1).patient }
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for host in hosts { group.addTask { try await host.connect() } }
                    try await group.waitForAll()
                }
                #expect(person.seen.count == 8)
            }
        }

        @Test(arguments: [
            ("banners", "before it lets anybody in"), ("empty_banners", "before it lets anybody in"),
            ("prompts", ""), ("many_prompts", "64 questions at once"), ("instruction", ""),
            ("rounds", "asked 64 times"), ("name_length", "breaks the protocol"),
            ("half_question", "breaks the protocol"),
        ])
        func `a hostile server comes to an end, with words`(kind: String, words: String) async throws {
            try await SSHPeer.with(#"{"u": {"hostile": "\#(kind)", "rounds": []}}"#) { peer in
                let person = TestPerson()
                let host = try peer.host("u", [.questions], person) {
                    $0.reconnect = ReconnectPolicy(delays: [.seconds(600)])
                }
                let error = await transportError { try await host.connect() }
                #expect(error?.code == .sshProtocol, "\(error?.message ?? "")")
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
                #expect(error.map { PeerWords.fault(in: $0.message) } == .some(nil))
                #expect(person.seen.count <= 130)
            }
        }

        /// A person who never answers, and says when the question was taken back.
        private static func absentPerson() -> (TestPerson, EventualValue<Bool>) {
            let ended = EventualValue<Bool>()
            let person = TestPerson { _ in
                do {
                    try await ManualClock().sleep(for: .seconds(1))
                    return []
                } catch {
                    ended.resolve(Task.isCancelled)
                    throw error
                }
            }
            return (person, ended)
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
