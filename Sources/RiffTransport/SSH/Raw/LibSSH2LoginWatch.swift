// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Reads what a server says while it lets a user in, from the memory that libssh2 has it in.
///
/// libssh2 1.10 keeps each banner (RFC 4252 section 5.4) in its list of packets and never looks at it; 1.11 takes the
/// first one of some. What a refusal says, and the words of a request for a new password, it throws away. All of them
/// are in memory that the engine gave: a received packet, and beside it an entry of the list, of six words, the fourth
/// of which leads to the packet and the fifth is its length. An entry is filled in before the call that made it
/// returns, and then its packet is whole.
///
/// It watches until the user is let in. Each block is looked at once, and all that is kept is bounded by what the
/// engine may hold (``LibSSH2Engine/allowedBytes``).
package struct LibSSH2LoginWatch: Sendable {
    /// An entry of the list: two links, the list, the packet, its length, and how far it was read.
    package static let entryBytes = 6 * MemoryLayout<UInt>.size

    /// The blocks that are in use now, by their address, and their size.
    private var blocks: [UInt: Int] = [:]
    /// Those of an entry's size that were not looked at yet.
    private var unread: [UInt] = []
    /// Banners that were found.
    private var banners: [String] = []
    private var isOver = false
    /// Whether questions are to be put in order before libssh2 reads them. 1.10 believes their lengths and reads beyond
    /// the message, and refuses short ones with a name, as it holds them against the length of another message.
    package var ordersQuestions = false

    /// The last refusal, until it is taken.
    private var refusal: SSHRefusal?
    /// The last message of type 60 that libssh2 took: its meaning is that of the attempt it answers.
    package private(set) var request: Request?

    /// Whether the last message of type 60 is anything but questions.
    package var hasOtherThanQuestions: Bool {
        switch request {
        case nil, .questions: false
        case .newPassword, .other: true
        }
    }

    /// A message of type 60.
    package enum Request: Sendable, Hashable {
        /// Of a password, a request for another one: the words.
        case newPassword(String)
        /// Of keyboard-interactive, questions.
        case questions(SSHEngineRequest)
        /// Neither: malformed, or more questions than are answered.
        case other
    }

    package init() {}

    // MARK: Memory

    /// Takes note of memory that is given to libssh2.
    package mutating func didAllocate(_ block: UnsafeRawBufferPointer) {
        guard !isOver, let base = block.baseAddress else { return }
        let address = UInt(bitPattern: base)
        blocks[address] = block.count
        if block.count == Self.entryBytes { unread.append(address) }
    }

    /// Looks at memory that is given back: libssh2 frees an entry when it takes the packet.
    package mutating func didFree(_ block: UnsafeRawBufferPointer) {
        guard !isOver, let base = block.baseAddress else { return }
        let address = UInt(bitPattern: base)
        guard blocks[address] != nil else { return }
        if block.count == Self.entryBytes {
            // One that was looked at before is not read twice.
            if let index = unread.lastIndex(of: address) {
                read(entryAt: address)
                unread.remove(at: index)
            }
            if ordersQuestions, let packet = packet(ofEntryAt: address), packet.first == 60 { order(packet) }
        }
        blocks[address] = nil
    }

    /// Looks at what came since the last time; to be called when no call of libssh2's is under way, or from inside one
    /// of its callbacks.
    package mutating func readEntries() {
        let addresses = unread
        unread = []
        for address in addresses { read(entryAt: address) }
    }

    /// Ends watching.
    package mutating func finish() {
        self = LibSSH2LoginWatch()
        isOver = true
    }

    // MARK: What was found

    /// Takes the banners.
    package mutating func takeBanners() -> [String] {
        defer { banners = [] }
        return banners
    }

    /// Takes what the last refusal said; nothing where none was seen.
    package mutating func takeRefusal() -> SSHRefusal {
        defer { refusal = nil }
        return refusal ?? SSHRefusal()
    }

    /// Forgets the last message of type 60.
    package mutating func forgetRequest() { request = nil }

    // MARK: Reading

    private func packet(ofEntryAt address: UInt) -> UnsafeMutableRawBufferPointer? {
        guard let entry = UnsafePointer<UInt>(bitPattern: address) else { return nil }
        let (data, count) = (entry[3], entry[4])
        guard count > 0, let size = blocks[data], count <= UInt(size) else { return nil }
        return UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: data), count: Int(count))
    }

    private mutating func read(entryAt address: UInt) {
        if let packet = packet(ofEntryAt: address) { read(UnsafeRawBufferPointer(packet)) }
    }

    /// Reads questions, and leaves libssh2 as many without a text: the shortest form there is, which fits into any
    /// other. What is malformed it takes for a refusal.
    private mutating func order(_ packet: UnsafeMutableRawBufferPointer) {
        request = Self.request(UnsafeRawBufferPointer(packet))
        guard case .questions(let questions) = request else { return packet[0] = 51 }
        var writer = SSHWireWriter()
        writer.write(byte: 60)
        for _ in 0..<3 { writer.write(string: []) }
        writer.write(uint32: UInt32(questions.prompts.count))
        for _ in questions.prompts {
            writer.write(string: [])
            writer.write(bool: false)
        }
        packet.copyBytes(from: writer.bytes)
    }

    /// Reads a packet, whose first byte is its type.
    package mutating func read(_ packet: UnsafeRawBufferPointer) {
        switch packet.first {
        case 51: refusal = Self.refusal(packet) ?? refusal
        case 53: if let text = Self.banner(packet) { banners.append(text) }
        case 60: request = Self.request(packet)
        default: break
        }
    }

    private static func refusal(_ packet: UnsafeRawBufferPointer) -> SSHRefusal? {
        var reader = SSHWireReader(packet.dropFirst())
        guard let names = try? reader.readString(), let isPartial = try? reader.readBool() else { return nil }
        let methods = String(decoding: names, as: UTF8.self).split(byte: ",").prefix(64).map(String.init)
        return SSHRefusal(methods: methods, isPartialSuccess: isPartial)
    }

    private static func banner(_ packet: UnsafeRawBufferPointer) -> String? {
        var reader = SSHWireReader(packet.dropFirst())
        // The language is left out by some servers.
        return (try? reader.readString()).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func request(_ packet: UnsafeRawBufferPointer) -> Request {
        var reader = SSHWireReader(packet.dropFirst())
        guard let first = try? text(&reader), let second = try? text(&reader) else { return .other }
        guard !reader.isAtEnd else { return .newPassword(first) }
        guard (try? reader.readString()) != nil, let count = try? reader.readUInt32(), count <= SSHLoginLimits.prompts
        else { return .other }
        var prompts: [SSHEngineRequest.Prompt] = []
        for _ in 0..<count {
            guard let text = try? text(&reader), let echoes = try? reader.readBool() else { return .other }
            prompts.append(SSHEngineRequest.Prompt(text: text, echoes: echoes))
        }
        return .questions(SSHEngineRequest(name: first, instruction: second, prompts: prompts))
    }

    private static func text(_ reader: inout SSHWireReader) throws(CoreError) -> String {
        String(decoding: try reader.readString(), as: UTF8.self)
    }
}
