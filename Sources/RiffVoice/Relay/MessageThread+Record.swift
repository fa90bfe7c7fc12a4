// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension MessageThread {
    private static let version = 1

    /// The bubbles as a file: `{"version": 1, "entries": [...]}`, a line for each.
    ///
    /// - Parameter limitBytes: The most bytes of it; the oldest bubbles make room.
    /// - Returns: UTF-8.
    func file(limitBytes: Int) -> [UInt8] {
        let head = Array("{\"version\":\(Self.version),\"entries\":[\n".utf8)
        let tail = Array("\n]}\n".utf8)
        var sizeBytes = head.count + tail.count
        var lines: [[UInt8]] = []
        for entry in entries.reversed() {
            let line = entry.record.bytes()
            sizeBytes += line.count + 2
            guard sizeBytes <= limitBytes else { break }
            lines.append(line)
        }
        return head + Array(lines.reversed().joined(separator: Array(",\n".utf8))) + tail
    }

    /// Reads the bubbles of a file.
    ///
    /// - Throws: ``CoreError`` with `invalidJSON` or `unexpectedJSON`.
    mutating func read(file bytes: [UInt8]) throws(CoreError) {
        var members = JSONMembers(try JSONObject(json: JSONValue(parsing: bytes)))
        let version: Int = try members.required("version")
        guard version == Self.version else {
            throw CoreError(.unexpectedJSON, "version: \(version) is not known here")
        }
        let records: [JSONValue] = try members.required("entries")
        var read: [Entry] = []
        for record in records { read.append(try Entry(record: record)) }
        let names = read.compactMap(\.serverID)
        guard Set(read.map(\.id)).count == read.count, Set(names).count == names.count else {
            throw CoreError(.unexpectedJSON, "entries: a name is there twice")
        }
        entries = read.sorted { $0.time < $1.time }.suffix(limit)
    }
}

extension MessageThread.Entry {
    /// The bubble as it is kept.
    var record: JSONValue {
        var object = JSONObject()
        switch id {
        case .local(let name): object.write("local", name.text)
        case .server: break
        }
        object.write("server", serverID?.text)
        object.write("role", role.rawValue)
        object.write("text", text)
        object.write("attachments", attachments, default: [])
        object.write("ts", time)
        switch state {
        case .sent: break
        case .sending: object.write("state", "sending")
        case .failed(let reason):
            object.write("state", "failed")
            object.write("reason", reason)
        }
        object.write("may_have_arrived", mayHaveArrived, default: false)
        // What only serves to find its message is not needed any more once that is found.
        if serverID == nil {
            object.write("first_try", tries.lowerBound)
            object.write("last_try", tries.upperBound)
            object.write("answered", answered)
        }
        return .object(object)
    }

    /// Reads a bubble.
    ///
    /// - Throws: ``CoreError`` with `unexpectedJSON` or `invalidIdentifier`.
    init(record: JSONValue) throws(CoreError) {
        var members = JSONMembers(try JSONObject(json: record))
        let local: String? = try members.optional("local")
        let server: String? = try members.optional("server")
        let role: String = try members.required("role")
        guard let role = ConversationMessage.Role(rawValue: role) else {
            throw CoreError(.unexpectedJSON, "role: is not known here")
        }
        let time: Double = try members.required("ts")
        let first: Double = try members.optional("first_try", default: time)
        let last: Double = try members.optional("last_try", default: time)
        var serverID: RiffIdentifier?
        if let server { serverID = try RiffIdentifier(server) }
        let id: ID
        if let local {
            id = .local(try RiffIdentifier(local))
        } else if let serverID {
            id = .server(serverID)
        } else {
            throw CoreError(.unexpectedJSON, "local: is missing")
        }
        self.init(
            id: id,
            role: role,
            text: try members.required("text"),
            attachments: try members.optional("attachments", default: []),
            time: time,
            state: try Self.state(&members),
            tries: min(first, last)...max(first, last)
        )
        self.serverID = serverID
        mayHaveArrived = try members.optional("may_have_arrived", default: false)
        answered = try members.optional("answered")
    }

    private static func state(_ members: inout JSONMembers) throws(CoreError) -> State {
        let state: String? = try members.optional("state")
        switch state {
        case nil: return .sent
        case "sending": return .sending
        case "failed": return .failed(reason: try members.optional("reason", default: ""))
        case .some: throw CoreError(.unexpectedJSON, "state: is not known here")
        }
    }
}
