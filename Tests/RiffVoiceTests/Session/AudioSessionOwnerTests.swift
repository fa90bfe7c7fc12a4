// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import Synchronization
import Testing

@Suite struct AudioSessionOwnerTests {
    struct Refused: Error {}

    /// A session whose first activations fail.
    final class Session: AudioSessionOwner {
        private let told = Mutex<[String]>([])
        private let refusals: Int
        private let isKept: Bool

        init(refusals: Int = 0, isKept: Bool = false) { (self.refusals, self.isKept) = (refusals, isKept) }

        var calls: [String] { told.withLock { $0 } }

        func activate() async throws {
            let number = told.withLock { told in
                told.append("activate")
                return told.count { $0 == "activate" }
            }
            if number <= refusals { throw Refused() }
        }

        func deactivate() async throws {
            told.withLock { $0.append("deactivate") }
            if isKept { throw Refused() }
        }

        func run() async throws -> Int {
            try await withActiveSession {
                told.withLock { $0.append("body") }; return 7
            }
        }
    }

    @Test func `an activation that fails once is tried again, with the session given back in between`() async throws {
        let session = Session(refusals: 1)
        #expect(try await session.run() == 7)
        #expect(session.calls == ["activate", "deactivate", "activate", "body", "deactivate"])
    }

    @Test func `one that fails twice is an error that says what to do, and nothing runs`() async throws {
        let session = Session(refusals: 2)
        let error = await #expect(throws: VoiceError.self) { try await session.run() }
        #expect(error?.code == .audioSessionFailed)
        #expect(error?.recovery == .retry)
        #expect(error?.localizedDescription.contains("end a call or a recording in another app") == true)
        #expect(error?.cause is Refused)
        #expect(session.calls == ["activate", "deactivate", "activate"])
    }

    @Test func `the session is given back however it ends`() async throws {
        let session = Session()
        #expect(try await session.run() == 7)
        #expect(session.calls == ["activate", "body", "deactivate"])
        struct Broken: Error {}
        let other = Session(isKept: true)
        await #expect(throws: Broken.self) { try await other.withActiveSession { throw Broken() } }
        #expect(other.calls == ["activate", "deactivate"])
        let error = await #expect(throws: VoiceError.self) { try await other.run() }
        #expect(error?.code == .audioSessionFailed)
    }
}
