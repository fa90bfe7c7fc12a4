// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSSH
import RiffTesting

/// The engine on a socket of its own, driven by the calling thread, which may block: one connection to a real server.
struct BlockingSSHClient {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private(set) var client: SSHClient
    private(set) var receivedBytes = 0
    private(set) var sentBytes = 0
    private(set) var rekeys = 0
    private var events: [SSHClientEvent] = []
    private let descriptor: Int32

    /// Connects; the caller closes.
    init(port: Int, _ configuration: SSHClient.Configuration = SSHClient.Configuration()) throws {
        client = SSHClient(configuration)
        descriptor = try Self.connected(to: port)
    }

    func close() { _ = Foundation.close(descriptor) }

    static func connected(to port: Int) throws -> Int32 {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(description: "no connection to port \(port): \(errno)") }
        return descriptor
    }

    /// Does something, and sends what comes of it.
    mutating func perform<Value>(_ body: (inout SSHClient) throws -> Value) throws -> Value {
        let value = try body(&client)
        try flush()
        return value
    }

    private mutating func flush() throws {
        var rest = client.takeOutput()[...]
        sentBytes += rest.count
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "writing failed: \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    private mutating func fill(_ what: String) throws {
        try flush()
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Int32(30_000 * Patience.factor)) == 1 else {
            throw Failure(description: "no \(what) came")
        }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            receivedBytes += count
            client.receive(buffer.prefix(count))
        } else {
            client.receiveEnd()
        }
        events += client.takeEvents()
        try flush()
    }

    /// The first event of a kind; others before it are dropped.
    mutating func next<Value>(_ what: String, _ find: (SSHClientEvent) -> Value?) throws -> Value {
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                if case .rekeyed = event { rekeys += 1 }
                if let value = find(event) { return value }
                if case .ended(let error) = event { throw error }
            }
            try fill(what)
        }
    }

    /// Up to a user who is let in by a key, after the host key was compared.
    mutating func logIn(_ user: String, with login: SSHLogin, hostKey line: String? = nil) throws {
        let shown = try next("host key") { if case .hostKey(let key) = $0 { key } else { nil } }
        if let line, try SSHPublicKey(line: line) != shown { throw Failure(description: "another host key") }
        try perform { try $0.acceptHostKey() }
        try perform { try $0.authenticate(user: user, with: login) }
        let isIn = try next("answer to the credential") {
            switch $0 {
            case .authenticated: true
            case .refused: false
            default: nil
            }
        }
        guard isIn else { throw Failure(description: "the credential was refused") }
    }

    mutating func open(_ kind: SSHOutgoingChannel, window: UInt32 = 1 << 20) throws -> SSHChannelNumber {
        let channel = try perform { try $0.open(kind, window: window) }
        let isOpen = try next("channel") {
            switch $0 {
            case .channelOpened(channel): true
            case .channelRefused(channel, _, _): false
            default: nil
            }
        }
        guard isOpen else { throw Failure(description: "the channel was refused") }
        return channel
    }

    struct Outcome {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var exit: SSHChannelExit?
        var refusedRequests = 0
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a command to its end, with input.
    mutating func run(
        _ command: String,
        before: [SSHSessionRequest] = [],
        input: [UInt8] = [],
        window: UInt32 = 1 << 20
    ) throws -> Outcome {
        let channel = try open(.session, window: window)
        for request in before { try perform { _ = try $0.request(request, on: channel) } }
        try perform { _ = try $0.request(.exec(command), on: channel) }
        return try carry(input, through: channel)
    }

    /// Sends all input and the end of it, and takes everything until the channel is closed.
    mutating func carry(_ input: [UInt8], through channel: SSHChannelNumber) throws -> Outcome {
        var outcome = Outcome()
        var rest = input[...]
        var hasEnded = false
        while true {
            if !rest.isEmpty {
                let taken = try perform { try $0.write(rest, to: channel) }
                rest = rest.dropFirst(taken)
            }
            if rest.isEmpty, !hasEnded {
                hasEnded = true
                try perform { try $0.sendEnd(of: channel) }
            }
            var consumed = 0
            let isOver = try next("end of the command") { event -> Bool? in
                switch event {
                case .data(channel, let bytes):
                    outcome.output += bytes
                    consumed = bytes.count
                    return false
                case .diagnostics(channel, let bytes):
                    outcome.errors += bytes
                    consumed = bytes.count
                    return false
                case .exited(channel, let exit): outcome.exit = exit
                case .requestAnswered(channel, _, isGranted: false): outcome.refusedRequests += 1
                case .writable(channel): return false
                case .channelClosed(channel): return true
                default: break
                }
                return nil
            }
            if isOver { return outcome }
            if consumed > 0 { try perform { try $0.consume(consumed, of: channel) } }
        }
    }

    /// Runs a body on a thread that may block.
    static func with<Value: Sendable>(
        port: Int,
        _ configuration: SSHClient.Configuration = SSHClient.Configuration(),
        _ body: @escaping @Sendable (inout BlockingSSHClient) throws -> Value
    ) async throws -> Value {
        try await onBlockingThread {
            var client = try BlockingSSHClient(port: port, configuration)
            defer { client.close() }
            return try body(&client)
        }
    }
}
