// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension SSHClient {
    /// A round trip that needs no channel: OpenSSH's ping where the server has it, else a request that it refuses.
    @discardableResult
    package mutating func probe() throws(SSHError) -> SSHRequestNumber {
        try call { (client) throws(SSHError) in
            guard client.authentication.isDone else { throw SSHError.notYet("authentication") }
            guard client.extensions.hasPing else {
                return try client.ask("keepalive@openssh.com", [], .probe)
            }
            guard client.connection.pings.count < Limits.pendingRequests else {
                throw SSHError(.notPossible, "Too many probes are unanswered.")
            }
            let number = client.connection.makeRequest()
            client.connection.pings.append(number)
            try client.send(SSHPingMessage(data: []))
            return number
        }
    }

    /// Asks the server to forward connections to here. The answer is an event; its fields have the port if it chose.
    package mutating func forward(_ forwarding: SSHForwarding) throws(SSHError) -> SSHRequestNumber {
        try call { (client) throws(SSHError) in
            guard client.connection.forwardings.count < Limits.forwardings else {
                throw SSHError(.notPossible, "There are too many forwardings.")
            }
            return try client.ask(forwarding.requestType, forwarding.fields, .forwarding(forwarding))
        }
    }

    /// Ends a forwarding.
    package mutating func cancel(_ forwarding: SSHForwarding) throws(SSHError) -> SSHRequestNumber {
        try call { (client) throws(SSHError) in
            try client.ask(forwarding.cancelType, forwarding.fields, .cancel(forwarding))
        }
    }

    /// Has the server prove that it has keys which it announced.
    package mutating func proveHostKeys(_ keys: [SSHPublicKey]) throws(SSHError) -> SSHRequestNumber {
        try call { (client) throws(SSHError) in
            var fields = SSHWireWriter()
            for key in keys { fields.write(string: key.blob) }
            return try client.ask("hostkeys-prove-00@openssh.com", fields.bytes, .proof(keys))
        }
    }

    private mutating func ask(
        _ type: String,
        _ fields: [UInt8],
        _ kind: SSHConnectionState.Pending
    ) throws(SSHError) -> SSHRequestNumber {
        guard authentication.isDone else { throw SSHError.notYet("authentication") }
        try Self.checkSize(fields)
        guard connection.pending.count < Limits.pendingRequests else {
            throw SSHError(.notPossible, "Too many requests are unanswered.")
        }
        let number = connection.makeRequest()
        connection.pending.append((number, kind))
        try send(SSHGlobalRequestMessage(type: type, wantsReply: true, fields: fields))
        return number
    }

    mutating func handlePong() throws(SSHError) {
        guard !connection.pings.isEmpty else { throw .violation("an answer came to no ping") }
        emit(.probeAnswered(connection.pings.removeFirst()))
    }

    mutating func handleGlobalRequest(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHGlobalRequestMessage(payload: payload)
        if message.type == "hostkeys-00@openssh.com" {
            emit(.hostKeysAnnounced(try Self.announcedKeys(message.fields)))
        }
        // Every request that wants an answer gets one, also one that is not known: a server counts them.
        if message.wantsReply { try send(SSHGlobalFailure()) }
    }

    private static func announcedKeys(_ fields: [UInt8]) throws(SSHError) -> [SSHPublicKey] {
        var keys: [SSHPublicKey] = []
        var reader = SSHWireReader(fields)
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= Limits.announcedKeys else { throw .limit("so many host keys") }
            guard let blob = try? reader.readString() else { throw .violation("the list of host keys is malformed") }
            // A key that this version cannot read is one that it cannot learn.
            if let key = try? SSHPublicKey(blob: Array(blob)), !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    mutating func handleGlobalAnswer(_ fields: [UInt8]?) throws(SSHError) {
        guard !connection.pending.isEmpty else { throw .violation("an answer came to no request") }
        let (number, kind) = connection.pending.removeFirst()
        switch kind {
        case .request: emit(.serverAnswered(number, fields: fields))
        case .probe: emit(.probeAnswered(number))
        case .cancel(let forwarding):
            connection.forwardings.remove(forwarding)
            emit(.serverAnswered(number, fields: fields))
        case .forwarding(let forwarding):
            if let fields { connection.forwardings.insert(try Self.granted(forwarding, fields)) }
            emit(.serverAnswered(number, fields: fields))
        case .proof(let keys):
            guard let fields else { return emit(.hostKeysProved(number, [])) }
            emit(.hostKeysProved(number, try proved(keys, fields)))
        }
    }

    /// A forwarding with the port that the server chose.
    private static func granted(_ forwarding: SSHForwarding, _ fields: [UInt8]) throws(SSHError) -> SSHForwarding {
        guard case .tcp(let address, 0) = forwarding else { return forwarding }
        var reader = SSHWireReader(fields)
        guard let port = try? reader.readUInt32(), (1...65_535).contains(port) else {
            throw .violation("a forwarding has no port")
        }
        return .tcp(address: address, port: port)
    }

    /// The keys of which the server proved that it has them: a signature for each, over this connection
    /// (OpenSSH's PROTOCOL, section 2.5).
    private func proved(_ keys: [SSHPublicKey], _ fields: [UInt8]) throws(SSHError) -> [SSHPublicKey] {
        var reader = SSHWireReader(fields)
        var proved: [SSHPublicKey] = []
        for key in keys {
            guard let blob = try? reader.readString() else { throw .violation("a host key's proof is missing") }
            var data = SSHWireWriter()
            data.write(text: "hostkeys-prove-00@openssh.com")
            data.write(string: exchange.sessionID ?? [])
            data.write(string: key.blob)
            guard let signature = try? SSHSignature(blob: Array(blob)),
                key.isValid(signature, by: signature.algorithm, for: data.bytes)
            else { continue }
            proved.append(key)
        }
        guard reader.isAtEnd else { throw .violation("there are more proofs than host keys") }
        return proved
    }
}
