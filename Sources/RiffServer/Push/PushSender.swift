// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: key: PushKey, responder: any ConversationResponder, records: ServerRecords
/// Tells registered devices of answers, through Apple's push service.
///
/// ```swift
/// let http = try AsyncHTTPTransport(.init(allowsHTTP2: true))  // the service speaks HTTP/2 alone
/// let push = try PushSender(key: key, topic: "org.example.app", title: "Agent", transport: http)
/// let service = ConversationService(responder: responder, records: records, push: push)
/// ```
///
/// A device whose token is not valid any more is removed from the records; it is registered again when its app starts.
/// What the service cannot take at the moment is tried three times. The text of an answer reaches the service and
/// nobody else: it is in no error and in no log.
public final class PushSender: Sendable {
    /// What became of a notification.
    package enum Delivery: Sendable, Hashable {
        case sent
        /// The device was removed.
        case removed(reason: String)
        case failed(reason: String)
    }

    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(20), total: .seconds(30))
    /// The pauses before the second and the third try.
    private static let pauses: [Duration] = [.seconds(1), .seconds(4)]

    private let token: ProviderToken
    private let topic: String
    private let title: String
    private let transport: any HTTPTransport
    private let production: HTTPBaseURL
    private let sandbox: HTTPBaseURL
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Double
    private let source = StateSource(State())
    /// The last reason of each device that could not be told.
    private let reasons = Mutex<[RiffIdentifier: String]>([:])

    /// Creates a sender; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - key: The key that signs.
    ///   - topic: The app's bundle identifier.
    ///   - title: What notifications show in bold, such as the agent's name.
    ///   - transport: What sends; it must speak HTTP/2.
    ///   - production: The service's address for apps from the store; Apple's unless said otherwise.
    ///   - sandbox: The service's address for apps from Xcode; Apple's unless said otherwise.
    /// - Throws: ``ServerError`` with `invalidPushKey` for a topic that is none.
    public convenience init(
        key: PushKey,
        topic: String,
        title: String,
        transport: any HTTPTransport,
        production: HTTPBaseURL? = nil,
        sandbox: HTTPBaseURL? = nil
    ) throws(ServerError) {
        try self.init(
            key: key,
            topic: topic,
            title: title,
            transport: transport,
            production: production,
            sandbox: sandbox,
            clock: ContinuousClock(),
            wallClock: WallClock.now
        )
    }

    /// A sender whose clocks are a test's.
    package init(
        key: PushKey,
        topic: String,
        title: String,
        transport: any HTTPTransport,
        production: HTTPBaseURL?,
        sandbox: HTTPBaseURL?,
        clock: any Clock<Duration>,
        wallClock: @escaping @Sendable () -> Double
    ) throws(ServerError) {
        guard PushRequest.isTopic(topic) else {
            throw ServerError(
                .invalidPushKey,
                "The topic of notifications is the app's bundle identifier.",
                recovery: .openSettings(.pushKey)
            )
        }
        token = ProviderToken(key)
        self.topic = topic
        self.title = title
        self.transport = transport
        self.production = production ?? Self.address("https://api.push.apple.com")
        self.sandbox = sandbox ?? Self.address("https://api.sandbox.push.apple.com")
        self.clock = clock
        self.wallClock = wallClock
    }

    private static func address(_ text: String) -> HTTPBaseURL {
        guard let address = try? HTTPBaseURL(text) else { preconditionFailure("\(text) is an address") }
        return address
    }

    /// The state now.
    public var current: State { source.current }

    /// The state now, then each change.
    ///
    /// - Returns: A sequence of its own for each caller; slow readers get the newest state.
    public func updates() -> AsyncStream<State> { source.updates() }

    /// Tells the device that asked; all devices if it is not known which one did.
    ///
    /// - Returns: The errors of those that could not be told.
    package func tell(_ reply: String, of turn: ConversationTurn, to registry: DeviceRegistry) async throws
        -> [ServerError]
    {
        var errors: [ServerError] = []
        for device in try await registry.devices() where turn.device == nil || device.id == turn.device {
            let conversation = turn.conversation ?? .default
            let payload = PushPayload(title: title, body: reply, conversation: conversation)
            if let error = Self.error(of: try await send(payload, turn.id, to: device, of: registry)) {
                errors.append(error)
            }
        }
        return errors
    }

    /// Sends a notification that says that notifications arrive.
    package func test(_ device: DeviceRegistry.Device, of registry: DeviceRegistry) async throws -> Delivery {
        let payload = PushPayload(title: title, body: "Notifications arrive.", conversation: .default)
        return try await send(payload, .random(), to: device, of: registry)
    }

    /// The reason why a device could not be told the last time, if it could not.
    func reason(of device: RiffIdentifier) -> String? { reasons.withLock { $0[device] } }

    // MARK: One notification

    private func send(
        _ payload: PushPayload,
        _ id: RiffIdentifier,
        to device: DeviceRegistry.Device,
        of registry: DeviceRegistry
    ) async throws -> Delivery {
        let request = PushRequest(payload: payload, collapseID: id, topic: topic)
        let verdict = try await deliver(request, to: device)
        let delivery: Delivery
        switch verdict {
        case .sent: delivery = .sent
        case .dead(let reason, let since):
            // One that was registered after that time has a token that is valid again.
            let isRemoved = try await registry.remove(device, registeredBefore: since)
            delivery = isRemoved ? .removed(reason: reason) : .failed(reason: reason)
        case .again(let reason), .refused(let reason): delivery = .failed(reason: reason)
        case .expired: delivery = .failed(reason: "ExpiredProviderToken")
        }
        note(delivery, of: device.id)
        return delivery
    }

    private func deliver(_ note: PushRequest, to device: DeviceRegistry.Device) async throws -> PushVerdict {
        var pauses = Self.pauses[...]
        var mayRenew = true
        while true {
            let now = wallClock()
            let text = try token.text(at: now)
            let isSandbox = ["sandbox", "development"].contains(device.environment)
            let request = note.request(to: isSandbox ? sandbox : production, device, token: text, now: now)
            var verdict: PushVerdict
            var wait: Duration?
            do {
                let body = HTTPBody.bytes(note.payload.json.bytes())
                let answer = try await transport.answer(
                    to: request,
                    body: body,
                    deadlines: Self.deadlines,
                    upTo: 64 * 1024
                )
                verdict = PushVerdict(status: answer.head.status.code, body: answer.body)
                wait = answer.head.retryAfter
            } catch let error as TransportError {
                // The code alone: the message quotes the address, and with it the token.
                verdict = .again(reason: error.code.rawValue)
            }
            if case .expired = verdict, mayRenew, token.expire(text, at: now) {
                mayRenew = false
                continue
            }
            guard case .again = verdict, let pause = pauses.popFirst() else { return verdict }
            // Longer than half a minute nobody waits: the answer is in the conversation.
            try await clock.sleep(for: max(pause, min(wait ?? .zero, .seconds(30))))
        }
    }

    private func note(_ delivery: Delivery, of device: RiffIdentifier) {
        let error = Self.error(of: delivery)
        let reason: String? =
            switch delivery {
            case .sent: nil
            case .removed(let reason), .failed(let reason): reason
            }
        reasons.withLock { reasons in
            // As many as there can be devices.
            if reasons.count >= DeviceRegistry.limit, reasons[device] == nil { reasons = [:] }
            reasons[device] = reason
        }
        source.update { state in
            var state = state
            switch delivery {
            case .sent: state.sent += 1
            case .removed: state.removedDevices += 1
            case .failed: state.failed += 1
            }
            state.problem = error.map { Problem($0) }
            return state
        }
    }

    private static func error(of delivery: Delivery) -> ServerError? {
        switch delivery {
        case .sent: nil
        case .removed(let reason):
            ServerError(.pushFailed, "A device takes no notifications any more and was removed (\(reason)).")
        case .failed(let reason): ServerError(.pushFailed, "A device could not be notified (\(reason)).")
        }
    }
}

extension PushSender {
    /// The state of a ``PushSender`` since it was created.
    public struct State: Sendable, Hashable {
        /// The number of notifications that the service took.
        public internal(set) var sent = 0
        /// The number of those that it did not take.
        public internal(set) var failed = 0
        /// The number of devices that were removed because their tokens are not valid any more.
        public internal(set) var removedDevices = 0
        /// Why the last notification was not taken; `nil` if it was.
        public internal(set) var problem: Problem?
    }
}

extension ServerErrorCode {
    /// A device could not be notified of an answer; the message has the push service's reason.
    public static let pushFailed = ServerError.Code(rawValue: "pushFailed")
}
