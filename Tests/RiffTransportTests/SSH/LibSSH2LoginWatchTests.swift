// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

#if SSH && (os(macOS) || os(Linux))
import RiffTransport
import Testing

/// What is read of a login from the memory that libssh2 has it in.
@Suite struct LibSSH2LoginWatchTests {
    /// Memory as libssh2 has it: packets, and entries of its list that lead to them.
    private final class Memory {
        var watch = LibSSH2LoginWatch()
        private var blocks: [UnsafeMutableRawBufferPointer] = []

        func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 0)
            blocks.append(block)
            watch.didAllocate(UnsafeRawBufferPointer(block))
            return block
        }

        func free(_ block: UnsafeMutableRawBufferPointer) { watch.didFree(UnsafeRawBufferPointer(block)) }

        /// A packet with padding behind it, and its entry.
        func queue(_ packet: [UInt8], length: Int? = nil) -> (
            packet: UnsafeMutableRawBufferPointer, entry: UnsafeMutableRawBufferPointer
        ) {
            let data = allocate(packet.count + 20)
            data.copyBytes(from: packet)
            let entry = allocate(LibSSH2LoginWatch.entryBytes)
            let words = entry.bindMemory(to: UInt.self)
            words[3] = UInt(bitPattern: data.baseAddress)
            words[4] = UInt(length ?? packet.count)
            return (data, entry)
        }

        deinit { for block in blocks { block.deallocate() } }
    }

    private static func packet(_ type: UInt8, _ body: (inout SSHWireWriter) -> Void) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.write(byte: type)
        body(&writer)
        return writer.bytes
    }

    private static func banner(_ text: String) -> [UInt8] {
        packet(53) {
            $0.write(text: text)
            $0.write(text: "")
        }
    }

    @Test func `each banner is told once, in order, also one that libssh2 takes later`() {
        let memory = Memory()
        let first = memory.queue(Self.banner("one"))
        _ = memory.queue(Self.banner("two"))
        memory.watch.readEntries()
        _ = memory.queue(Self.banner("three"))
        memory.watch.readEntries()
        memory.free(first.entry)
        memory.free(first.packet)
        memory.watch.readEntries()
        let told = memory.watch.takeBanners()
        let rest = memory.watch.takeBanners()
        #expect(told == ["one", "two", "three"] && rest.isEmpty)
    }

    @Test func `other memory of an entry's size is not taken for one`() {
        let memory = Memory()
        // Leads nowhere that was given, or beyond what was given.
        let stray = memory.allocate(LibSSH2LoginWatch.entryBytes)
        stray.bindMemory(to: UInt.self)[3] = 0x1000
        stray.bindMemory(to: UInt.self)[4] = 64
        _ = memory.queue(Self.banner("long"), length: 4_096)
        _ = memory.queue(Self.banner("none"), length: 0)
        memory.watch.readEntries()
        let told = memory.watch.takeBanners()
        #expect(told.isEmpty)
        // What was freed is not looked at.
        let gone = memory.queue(Self.banner("gone"))
        memory.free(gone.packet)
        memory.watch.readEntries()
        let rest = memory.watch.takeBanners()
        #expect(rest.isEmpty)
    }

    @Test func `a refusal tells what goes on, and whether it was half a success`() {
        let memory = Memory()
        let refusal = memory.queue(
            Self.packet(51) {
                $0.write(text: "publickey,keyboard-interactive")
                $0.write(bool: true)
            }
        )
        memory.free(refusal.entry)
        let told = memory.watch.takeRefusal()
        #expect(told == SSHRefusal(methods: ["publickey", "keyboard-interactive"], isPartialSuccess: true))
        let none = memory.watch.takeRefusal()
        #expect(none == SSHRefusal())
    }

    @Test func `questions are read whole, and cut anywhere they are none`() {
        let whole = Self.packet(60) {
            $0.write(text: "name")
            $0.write(text: "instruction")
            $0.write(text: "")
            $0.write(uint32: 2)
            $0.write(text: "A: ")
            $0.write(bool: true)
            $0.write(text: "B: ")
            $0.write(bool: false)
        }
        let memory = Memory()
        whole.withUnsafeBytes { memory.watch.read($0) }
        let request = SSHEngineRequest(
            name: "name",
            instruction: "instruction",
            prompts: [.init(text: "A: ", echoes: true), .init(text: "B: ", echoes: false)]
        )
        #expect(memory.watch.request == .questions(request) && !memory.watch.hasOtherThanQuestions)
        for count in 1..<whole.count {
            memory.watch.forgetRequest()
            whole[..<count].withUnsafeBytes { memory.watch.read($0) }
            #expect(memory.watch.hasOtherThanQuestions, "\(count) bytes")
        }
        memory.watch.forgetRequest()
        Self.packet(60) {
            $0.write(text: "New password: ")
            $0.write(text: "en")
        }.withUnsafeBytes { memory.watch.read($0) }
        #expect(memory.watch.request == .newPassword("New password: "))
    }

    @Test func `nothing is kept once the login is over`() {
        let memory = Memory()
        memory.watch.finish()
        _ = memory.queue(Self.banner("late"))
        memory.watch.readEntries()
        let told = memory.watch.takeBanners()
        #expect(told.isEmpty)
    }
}
#endif
