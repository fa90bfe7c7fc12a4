// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Testing

/// Numbers and lines that no keeper says, from a host that says them.
struct KeeperNumbersTests {
    private static let extremes = [
        "0", "-1", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "-9223372036854775808", "1e308", "nan", "", String(repeating: "9", count: 400),
    ]

    private func attach(_ header: String) throws -> (KeptInbound, Result<[ACPFrame], ACPError>) {
        var inbound = KeptInbound(from: nil, lineLimit: 1000)
        inbound.begin(marker: "MARK")
        do {
            var frames = try inbound.push(Array("MARK\n\(header)\n\nhalf\n{\"a\":1}\n".utf8)).frames
            frames += try inbound.push(Array(repeating: 0x20, count: 100)).frames
            _ = inbound.position
            _ = inbound.finish()
            return (inbound, .success(frames))
        } catch { return (inbound, .failure(error)) }
    }

    @Test(arguments: extremes)
    func `a header with an extreme number is read, or refused with what was read`(number: String) throws {
        for header in ["1.1 \(number) 0 running", "1.1 0 \(number) running", "1.1 0 0 ended \(number)"] {
            guard case .failure(let error) = try attach(header).1 else { continue }
            #expect(error.code == .unexpectedAnswer)
            #expect(number.isEmpty || error.message.contains(number.prefix(20)), "\(error.message)")
        }
    }

    @Test func `a header that begins at the end of all numbers is refused`() throws {
        for number in ["18446744073709551615", "9223372036854775808"] {
            guard case .failure(let error) = try attach("1.1 \(number) 0 running").1 else {
                Issue.record("\(number) was taken")
                continue
            }
            #expect(error.code == .unexpectedAnswer && error.message.contains(number))
        }
    }

    @Test(arguments: ["", " ", "   ", "\t", "17.4", "17.4 0", "17.4 0 0", "17.4 0 0 "])
    func `a blank or short header is refused`(header: String) throws {
        guard case .failure(let error) = try attach(header).1 else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .unexpectedAnswer)
    }

    @Test func `a host that says it has what was never sent keeps nothing from being sent`() {
        for number: UInt64 in [.max, .max - 1, 1 << 63, 100] {
            var outbound = KeptOutbound()
            outbound.attached(lastNumber: number)
            outbound.add(Array("a\n".utf8), for: .message)
            #expect(outbound.next().map { String(decoding: $0, as: UTF8.self) } == "1 2 -\na\n")
            outbound.acknowledged(.max)
            outbound.add(Array("b\n".utf8), for: .message)
            #expect(outbound.next().map { String(decoding: $0, as: UTF8.self) } == "2 2 -\nb\n")
            #expect(outbound.bytes == 8)
        }
    }

    @Test(arguments: ["", "\n", "   \n", "a running\n   \nb ended\n", " \u{B} \n", "\t\n"])
    func `a list with blank lines names the agents that are there`(output: String) async throws {
        let host = ScriptedHostSession { _, _ in CommandResult(output: Array(output.utf8), exit: .exited(0)) }
        let agents = try await ACPKeeper(on: host).agents()
        let expected = output.contains("running") ? ["a", "b"] : []
        #expect(agents.map(\.name).filter { !$0.allSatisfy(\.isWhitespace) } == expected)
        #expect(agents.allSatisfy { !$0.name.isEmpty })
    }
}
