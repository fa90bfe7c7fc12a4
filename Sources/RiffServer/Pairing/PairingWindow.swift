// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffVoice
internal import Synchronization

// sample:
/// A short time in which a new device may make itself known, opened by a person at the server's console.
///
/// ```swift
/// let window = PairingWindow()
/// show(window.open())              // "K7QP-X2MW-RDTA": a person types it into the device
/// window.redeem("k7qp x2mw rdta")  // true, once
/// ```
///
/// The code is right once, for five minutes and 100,000 tries, whoever tries. It has 12 of 31 characters, which are 59
/// bits: so many tries find it once in eight million million windows, and no stranger closes the window with a few
/// wrong codes. It says nothing of how the code reaches the device or comes back.
public final class PairingWindow: Sendable {
    /// How long a window stays open.
    public static let length = Duration.seconds(300)
    /// How many wrong codes close it.
    public static let tries = 100_000

    /// Digits and capitals without those that look alike or are heard alike: no 0, O, 1, I, L.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ".utf8)
    private static let codeLength = 12

    private struct Opening {
        let code: [UInt8]
        let end: Stopwatch.Instant
        var triesLeft = PairingWindow.tries
    }

    private let stopwatch: Stopwatch
    private let opening = Mutex<Opening?>(nil)

    /// A closed window.
    ///
    /// - Parameter clock: Measures how long it stays open. One that stands still while the machine sleeps keeps it open
    ///   for longer; `ContinuousClock` does not.
    public init(clock: any Clock<Duration> = ContinuousClock()) { stopwatch = Stopwatch(clock) }

    /// Opens the window, or opens it anew: an earlier code is worth nothing from then on.
    ///
    /// - Returns: The code, `XXXX-XXXX-XXXX`. Show it at the console, and write it into no log.
    public func open() -> String {
        var generator = SystemRandomNumberGenerator()
        return open(using: &generator)
    }

    /// Opens the window with a code from a generator, for tests.
    ///
    /// - Parameter generator: Must not be guessed; the system's is what ``open()`` takes.
    /// - Returns: The code.
    public func open(using generator: inout some RandomNumberGenerator) -> String {
        let code = (0..<Self.codeLength).map { _ in
            Self.alphabet[Int(generator.next(upperBound: UInt64(Self.alphabet.count)))]
        }
        let end = stopwatch.now.advanced(by: Self.length)
        opening.withLock { $0 = Opening(code: code, end: end) }
        let groups = stride(from: 0, to: code.count, by: 4).map { String(decoding: code[$0..<$0 + 4], as: UTF8.self) }
        return groups.joined(separator: "-")
    }

    /// Closes the window, where it is open.
    public func close() { opening.withLock { $0 = nil } }

    /// Whether a code would be taken now.
    public var isOpen: Bool {
        let now = stopwatch.now
        return opening.withLock { $0.map { now < $0.end } ?? false }
    }

    /// Tries a code. The right one closes the window; so does the fifth wrong one.
    ///
    /// - Parameter code: What was typed: capital or small, with or without hyphens and spaces.
    /// - Returns: Whether it is the code of an open window. Why not is told to nobody.
    public func redeem(_ code: String) -> Bool {
        let typed = PairingAgreement.normalized(code)
        return redeem { constantTimeEqual(typed, $0) } != nil
    }

    /// Tries whatever shows that somebody knows the code; counts as a try.
    ///
    /// - Parameter isRight: Whether it shows that for a code; takes the same time whatever differs.
    /// - Returns: The code, where it does and the window was open.
    func redeem(where isRight: ([UInt8]) -> Bool) -> [UInt8]? {
        let now = stopwatch.now
        return opening.withLock { opening in
            guard var open = opening, now < open.end else {
                opening = nil
                return nil
            }
            if isRight(open.code) {
                opening = nil
                return open.code
            }
            open.triesLeft -= 1
            opening = open.triesLeft > 0 ? open : nil
            return nil
        }
    }
}
