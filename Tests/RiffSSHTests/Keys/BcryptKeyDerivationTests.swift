// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSSH
import Testing

struct BcryptKeyDerivationTests {
    /// Made with the Python package bcrypt 5.0, which wraps another implementation.
    struct Answer: Sendable {
        let passphrase: [UInt8]
        let salt: [UInt8]
        let rounds: Int
        let key: String

        static let all = [
            Answer(
                passphrase: Array("correct horse".utf8),
                salt: Array(0..<16),
                rounds: 16,
                key: "6bd628cd9202c5d0cb3e47dc1332be0162d3d4262dac8dac9f00998434479f36930c217fd05e33a7e77e207f680659d2"
            ),
            Answer(
                passphrase: Array("correct horse".utf8),
                salt: Array(0..<16),
                rounds: 24,
                key: "e7620818cc5cdd025f56901c55b4356405dac6fc6905da97bfaf9f6672a4cad1b56d547fdc446168b118c706775e8d3b"
            ),
            Answer(passphrase: [0, 0xFF], salt: Array("s".utf8), rounds: 1, key: "dc"),
            Answer(
                passphrase: Array("zażółć 🗝".utf8),
                salt: Array(0..<64),
                rounds: 3,
                key: "fb8316aca3a58a4ed408628d97e006dee8648e75af3b4d7bd289bf28b3a75a04533f947de1c6c22c5298db6d1fc12d97"
                    + "70e21dbc5d1018c94adc2091d1ae5c1e87e975974e913c64f601c3a94f809df61fecf3ee13e26fb48c3c11660370906c"
                    + "67feffcd"
            ),
            Answer(
                passphrase: Array(repeating: UInt8(ascii: "x"), count: 200),
                salt: Array(repeating: 0, count: 16),
                rounds: 2,
                key: "443ffd9080803c679452dc7a4d261b5d3f4ab1f98f646b9b152c5f5a566377d6e9"
            ),
        ]
    }

    @Test(arguments: Answer.all)
    func `a key is the one that another implementation derives`(answer: Answer) throws {
        let key = try BcryptKeyDerivation.key(
            passphrase: answer.passphrase,
            salt: answer.salt,
            rounds: answer.rounds,
            count: answer.key.utf8.count / 2
        )
        #expect(key.map { $0.hex } == answer.key)
    }

    @Test(arguments: [0, -1, 1_025, Int(UInt32.max)])
    func `so many rounds are refused before the first`(rounds: Int) throws {
        #expect(try BcryptKeyDerivation.key(passphrase: [1], salt: [1], rounds: rounds, count: 48) == nil)
    }

    @Test func `a cancelled derivation ends within a round`() {
        var asked = 0
        #expect(throws: CancellationError.self) {
            try BcryptKeyDerivation.key(passphrase: [1], salt: [1], rounds: 1_024, count: 48) {
                asked += 1
                return asked == 3
            }
        }
        #expect(asked == 3)
    }

    @Test func `the table is pi`() {
        // Whole numbers of 32-bit digits, the first before the point, with two more behind for what is rounded off.
        var sum = Fraction(digits: 1_045)
        sum.addArctangent(ofOneOver: 5, times: 16, isNegative: false)
        sum.addArctangent(ofOneOver: 239, times: 4, isNegative: true)
        #expect(sum.digits[0] == 3)
        #expect(Array(sum.digits[1...1_042]) == Blowfish.digits)
    }
}

/// A number with a fixed count of binary digits after its point.
private struct Fraction {
    var digits: [UInt32]

    init(digits count: Int) { digits = Array(repeating: 0, count: count) }

    /// Adds `times` x arctan(1/x) = `times` x (1/x - 1/3x^3 + 1/5x^5 ...).
    mutating func addArctangent(ofOneOver x: UInt32, times: UInt32, isNegative: Bool) {
        var power = Fraction(digits: digits.count)
        power.digits[0] = times
        power.divide(by: x)
        var odd: UInt32 = 1
        var subtracts = isNegative
        var start = 0
        while start < digits.count {
            var term = power
            term.divide(by: odd, from: start)
            add(term, subtracts)
            power.divide(by: x * x, from: start)
            while start < digits.count, power.digits[start] == 0 { start += 1 }
            odd += 2
            subtracts.toggle()
        }
    }

    mutating func divide(by divisor: UInt32, from start: Int = 0) {
        var rest: UInt64 = 0
        digits.withUnsafeMutableBufferPointer { digits in
            var index = start
            while index < digits.count {
                let value = rest << 32 | UInt64(digits[index])
                digits[index] = UInt32(truncatingIfNeeded: value / UInt64(divisor))
                rest = value % UInt64(divisor)
                index += 1
            }
        }
    }

    private mutating func add(_ other: Fraction, _ subtracts: Bool) {
        var carry: Int64 = 0
        digits.withUnsafeMutableBufferPointer { digits in
            var index = digits.count - 1
            while index >= 0 {
                let value =
                    Int64(digits[index]) + (subtracts ? -Int64(other.digits[index]) : Int64(other.digits[index]))
                let sum = value + carry
                digits[index] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
                index -= 1
            }
        }
    }
}

extension [UInt8] {
    fileprivate var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
