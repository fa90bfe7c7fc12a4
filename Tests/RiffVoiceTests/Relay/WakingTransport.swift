// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffTransport
import Synchronization

/// Sends the first request to a port that never answers and every further one to the server: a private network that
/// wakes up.
final class WakingTransport: HTTPTransport {
    final class Count: Sendable {
        private let state = Mutex(0)
        var value: Int { state.withLock(\.self) }
        func next() -> Int {
            state.withLock { count in
                count += 1
                return count
            }
        }
    }

    let sends = Count()
    private let http: any HTTPTransport
    private let cold: Int
    private let warm: Int

    init(http: any HTTPTransport, cold: Int, warm: Int) {
        self.http = http
        self.cold = cold
        self.warm = warm
    }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        var request = request
        request.authority = "127.0.0.1:\(sends.next() == 1 ? cold : warm)"
        return try await http.send(request, body: body, deadlines: deadlines)
    }
}
