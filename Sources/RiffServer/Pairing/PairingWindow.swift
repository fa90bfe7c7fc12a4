// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A short time in which a new device may make itself known, opened by a person at the server's console.
///
/// ```swift
/// let window = PairingWindow()
/// show(window.open())           // "K7QPX-2MWRD": a person types it into the device
/// window.redeem("k7qpx 2mwrd")  // true, once
/// ```
///
/// The code is right once, for five minutes and five tries, whoever tries: 10 of 31 characters are 49 bits. It says
/// nothing of how the code reaches the device or comes back.
public final class PairingWindow: Sendable {
    /// How long a window stays open.
    public static let length = Duration.seconds(300)
    /// How many wrong codes close it.
    public static let tries = 5

    /// Digits and capitals without those that look alike or are heard alike: no 0, O, 1, I, L.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ".utf8)
    private static let codeLength = 10

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
    /// - Returns: The code, `XXXXX-XXXXX`. Show it at the console, and write it into no log.
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
        let text = String(decoding: code, as: UTF8.self)
        return "\(text.prefix(5))-\(text.suffix(5))"
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
        let now = stopwatch.now
        // A code has ten characters; whatever a stranger sends beyond some hyphens and spaces is not even looked at.
        let typed = code.utf8.prefix(64).compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
            case UInt8(ascii: "-"), 0x20, 0x09, 0x0A, 0x0D: nil
            default: byte
            }
        }
        return opening.withLock { opening in
            guard var open = opening, now < open.end else {
                opening = nil
                return false
            }
            if constantTimeEqual(typed, open.code) {
                opening = nil
                return true
            }
            open.triesLeft -= 1
            opening = open.triesLeft > 0 ? open : nil
            return false
        }
    }
}
