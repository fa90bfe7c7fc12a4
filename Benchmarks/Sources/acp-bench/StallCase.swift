// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTransport
import Synchronization

/// An agent that writes without end, and a consumer that takes one update a millisecond: how much memory that takes.
enum StallCase {
    static func run(_ options: Options) async throws {
        let peak = Mutex((first: 0, most: 0, count: 0))
        var handlers = ACPClient.Handlers()
        handlers.update = { _ in
            // The measurement itself is what stalls.
            let kilobytes = residentKilobytes()
            peak.withLock { peak in
                peak.count += 1
                if peak.count == 20_000 { peak.first = kilobytes }
                peak.most = max(peak.most, kilobytes)
            }
        }
        let source = ACPAgentSource.process(
            LocalCommand(options.python, [options.script, "agent", "--n", "300000", "--size", "400", "--mix"])
        )
        try await withACPClient(source, handlers: handlers) { client in
            let session = try await client.newSession(in: "/tmp").sessionID
            _ = try await client.prompt("go", in: session)
        }
        let (first, most, count) = peak.withLock { $0 }
        print("\(count) updates; resident \(first / 1024) MB after 20000, at most \(most / 1024) MB")
    }

    private static func residentKilobytes() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
