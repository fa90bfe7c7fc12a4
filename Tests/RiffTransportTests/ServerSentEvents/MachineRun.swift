// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport

/// A machine and what it asked for, in words.
struct MachineRun {
    /// The first request, in words.
    static let line = "GET https://a.example/events"

    var machine: ServerSentEventMachine
    /// Chance says 0, so that no wait is longer than it has to be.
    var generator = FixedGenerator(number: 0)
    var log: [String] = []
    var requests: [HTTPRequest] = []

    init(
        _ request: HTTPRequest = MachineRun.request(),
        lastEventID: String = "",
        policy: ServerSentEventStream.Policy = ServerSentEventStream.Policy(),
        limits: ServerSentEventParser.Limits = .init()
    ) {
        machine = ServerSentEventMachine(request, lastEventID: lastEventID, policy: policy, limits: limits)
    }

    static func request(_ method: HTTPRequest.Method = .get, path: String = "/events?q=1") -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: "a.example", path: path)
    }

    @discardableResult
    mutating func take(_ inputs: ServerSentEventMachine.Input...) -> [String] {
        var new: [String] = []
        for input in inputs {
            for effect in machine.handle(input, using: &generator) {
                if case .send(let request, _) = effect { requests.append(request) }
                new.append(Self.words(effect))
            }
        }
        log += new
        return new
    }

    static func words(_ effect: ServerSentEventMachine.Effect) -> String {
        switch effect {
        case .send(let request, let withBody): "\(request.logLine)\(withBody ? "" : " bare")"
        case .close: "close"
        case .startTimer(let wait): "timer \(wait)"
        case .cancelTimer: "cancel"
        case .deliver(let event): "event \(event.data)"
        case .comment(let text): "comment\(text)"
        case .finish(.closed): "closed"
        case .finish(.stopped): "stopped"
        case .finish(.failed(let error)): "failed \(error.code.rawValue)"
        }
    }
}

extension ServerSentEventMachine.Input {
    static func head(_ status: Int, _ type: String? = nil, _ fields: HTTPFields = [:]) -> Self {
        var head = HTTPResponse(status: .init(code: status), headerFields: fields)
        head.headerFields[.contentType] = type
        return .answered(head)
    }

    static let stream = head(200, "text/event-stream")
    static func bytes(_ text: String) -> Self { .received(Array(text.utf8)) }
    static let lost = Self.failed(TransportError(.connectionLost, "Lost."))
}
