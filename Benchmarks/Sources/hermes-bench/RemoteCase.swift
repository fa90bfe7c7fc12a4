// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTransport

/// The first page of a database on a host, which is this machine behind an sshd of its own, against a copy of it.
enum RemoteCase {
    static func run(_ file: String) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let copy = server.folder + "/copy.db"
        let clock = ContinuousClock()
        var page: [String: (seconds: Double, bytes: Int)] = [:]
        for access in [HermesDatabase.Access.sqlite3, .python3] {
            var seconds: [Double] = []
            var bytes = 0
            for _ in 0..<5 {
                let host = try server.host()
                let counting = CountingHost(host)
                // Logging in is the same for both ways.
                _ = try await host.run("true")
                let start = clock.now
                let database = try await HermesDatabase.open(file, on: counting, hostName: "loopback", access: access)
                _ = try await database.sessions()
                seconds.append(Self.seconds(clock.now - start))
                bytes = counting.bytes
                await database.close()
                await host.shutdown()
            }
            let median = seconds.sorted()[2]
            page[access.rawValue] = (median, bytes)
            print(String(format: "first page by \(access.rawValue)\t%.0f ms, %d bytes", median * 1e3, bytes))
        }
        let host = try server.host()
        _ = try await host.run("true")
        let start = clock.now
        let snapshot = try await HermesSnapshot.pull(file, on: host, hostName: "loopback", to: copy)
        let database = try await HermesDatabase.open(copy)
        _ = try await database.sessions()
        let whole = Self.seconds(clock.now - start)
        await database.close()
        await host.shutdown()
        print(String(format: "by a copy\t%.0f ms, %d bytes", whole * 1e3, Int(snapshot.transferredBytes)))
        for (name, figure) in page.sorted(by: { $0.key < $1.key }) {
            let share = Double(figure.bytes) / Double(snapshot.transferredBytes)
            print(
                String(
                    format: "\(name) / copy\t%.4f %% of the bytes, goal 1; %.2f %% of the time, goal 5",
                    share * 100,
                    figure.seconds / whole * 100
                )
            )
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
