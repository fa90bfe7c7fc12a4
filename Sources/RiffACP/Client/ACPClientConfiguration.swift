// Riff
// SPDX-License-Identifier: Apache-2.0

public import Logging

extension ACPClient {
    /// The behavior of a client.
    public struct Configuration: Sendable {
        /// The client's name and version.
        public var info: ACP.Implementation
        /// The time limits for answers.
        public var deadlines: ACPClient.Deadlines
        /// The time that a person may think about a permission; then it is denied. `nil` waits for ever.
        public var permissionDeadline: Duration?
        /// The number of bytes of updates that may wait while the client is paused; 32 KiB at most, and no more than
        /// this, while it is not. Pieces of one text are joined while many wait. Beyond the limit the agent is not read
        /// on, and so waits itself.
        public var bufferedBytes: Int
        /// The time that the agent may take to end by itself when its input was closed. Then it is ended.
        public var closeGrace: Duration
        /// Sends the notification `$/ping` this often, for a channel that something between the two sides closes when
        /// nothing passes; agents ignore it, as they must ignore what begins with `$/`. `nil`, which is usual, sends
        /// none: a program on this machine needs none, and ``RiffTransport/SSHHost`` keeps its own connection alive.
        public var keepalive: Duration?
        /// Measures all of it.
        public var clock: any Clock<Duration>
        /// Gets connections and oddities at debug; never contents.
        public var logger: Logger
        /// Is shown every line as it comes and goes, for a recording: contents, secrets too. Called in order in each
        /// direction; what it does delays the connection.
        public var wireObserver: (@Sendable (ACPClient.WireDirection, ArraySlice<UInt8>) -> Void)?

        /// A configuration; each part has a usual value.
        public init(
            info: ACP.Implementation = ACP.Implementation(name: "riff", version: "0.1.0"),
            deadlines: ACPClient.Deadlines = ACPClient.Deadlines(),
            permissionDeadline: Duration? = .seconds(600),
            bufferedBytes: Int = 8 * 1024 * 1024,
            closeGrace: Duration = .seconds(2),
            keepalive: Duration? = nil,
            clock: any Clock<Duration> = ContinuousClock(),
            logger: Logger = Logger(label: "riff.acp", factory: { _ in SwiftLogNoOpLogHandler() })
        ) {
            self.info = info
            self.deadlines = deadlines
            self.permissionDeadline = permissionDeadline
            self.bufferedBytes = bufferedBytes
            self.closeGrace = closeGrace
            self.keepalive = keepalive
            self.clock = clock
            self.logger = logger
        }
    }
}

extension ACPClient {
    /// Which way a line goes.
    public enum WireDirection: Sendable, Hashable {
        /// From the agent.
        case received
        /// To the agent.
        case sent
    }
}

extension ACPClient {
    /// The time limits for an agent's answers, by method.
    public struct Deadlines: Sendable, Hashable {
        /// For every method without one of its own.
        public var standard: Duration
        private var own: [String: Duration?] = [
            // Agents load their models' lists, plugins and tools first; 25 seconds were seen on a busy machine.
            ACP.InitializeRequest.method: .seconds(120),
            ACP.NewSessionRequest.method: .seconds(120),
            // A person signs in meanwhile.
            ACP.AuthenticateRequest.method: .seconds(900),
            // The whole conversation comes first.
            ACP.LoadSessionRequest.method: .seconds(300),
            ACP.ResumeSessionRequest.method: .seconds(300),
            // A turn may run for hours.
            ACP.PromptRequest.method: nil as Duration?,
        ]

        /// The usual deadlines.
        public init(standard: Duration = .seconds(60)) { self.standard = standard }

        /// The deadline of a method; `nil` is none.
        public subscript(method: String) -> Duration? {
            get { own[method] ?? standard }
            set { own[method] = .some(newValue) }
        }
    }
}
