// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state machine of control sequences (ECMA-48; the states are those of DEC's terminals): bytes in at any split,
/// whole sequences out.
///
/// It takes the bytes that are not plain text. Everything in it is bounded: what exceeds a bound is swallowed whole.
struct ControlParser {
    /// The construct that a byte brought to its end.
    enum Step {
        /// Nothing yet.
        case none
        /// A C0 control, also one in the middle of a sequence.
        case control(UInt8)
        /// `ESC`, intermediates, final byte.
        case escape(UInt8)
        /// `CSI`, parameters, intermediates, final byte.
        case sequence(UInt8)
        /// An operating system command; its bytes are in ``string``.
        case operatingSystemCommand
    }

    enum State: UInt8 {
        case ground, escape, escapeIntermediate, sequenceEntry, sequenceParameter, sequenceIntermediate,
            sequenceIgnored, operatingSystem, stringIgnored, deviceHeader, device, deviceEscape
    }

    private(set) var state = State.ground
    private(set) var parameters = Parameters()
    /// The private marker (`?`, `>`, `<`, `=`) of a sequence; 0 without.
    private(set) var marker: UInt8 = 0
    /// The last intermediate byte; 0 without.
    private(set) var intermediate: UInt8 = 0
    /// The string of an operating system command.
    private(set) var string: [UInt8] = []
    private var isStringTooLong = false
    /// The number of bytes of a string that came, of any kind.
    private var stringLength = 0

    /// The most bytes of a string that are kept; longer ones are swallowed. Enough for 48 KiB of clipboard.
    static let maximumString = 64 * 1024

    /// The most bytes that a string of any kind may swallow; what comes then is text again. Pictures are smaller.
    static let maximumSwallowed = 16 << 20

    var isGround: Bool { state == .ground }

    /// Whether a string began and did not end yet: nothing is shown until then.
    var isInString: Bool {
        switch state {
        case .operatingSystem, .stringIgnored, .deviceHeader, .device, .deviceEscape: true
        default: false
        }
    }

    /// Drops the string that did not end; what comes next is text.
    mutating func dropString() {
        guard isInString else { return }
        state = .ground
        string.removeAll()
    }

    mutating func take(_ byte: UInt8) -> Step {
        if isInString {
            stringLength += 1
            if stringLength > Self.maximumSwallowed { dropString() }
        }
        switch byte {
        case 0x18, 0x1A:
            state = .ground
            return .none
        default: break
        }
        if state == .device || state == .deviceEscape { return takeDevice(byte) }
        switch byte {
        case 0x1B: return begin()
        default: break
        }
        switch state {
        case .ground: return byte < 0x20 ? .control(byte) : .none
        case .escape, .escapeIntermediate: return takeEscape(byte)
        case .operatingSystem: return takeString(byte)
        case .deviceHeader: return takeDeviceHeader(byte)
        case .stringIgnored: return .none
        default: return takeSequence(byte)
        }
    }

    /// Takes digits and what is between them, as far as they go.
    ///
    /// - Returns: The index of the first byte that was not taken.
    @inline(__always)
    mutating func takeParameters(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard state == .sequenceEntry || state == .sequenceParameter else { return start }
        var index = start
        while index < bytes.count, bytes[index] &- 0x30 < 0x0C {
            state = .sequenceParameter
            if !parameters.take(bytes[index]) { state = .sequenceIgnored }
            index += 1
            if state == .sequenceIgnored { break }
        }
        return index
    }

    /// Begins an escape sequence: an escape character ends a string, and begins again in any other state.
    private mutating func begin() -> Step {
        let isString = state == .operatingSystem
        state = .escape
        intermediate = 0
        return isString && !isStringTooLong ? .operatingSystemCommand : .none
    }

    private mutating func takeEscape(_ byte: UInt8) -> Step {
        switch byte {
        case 0..<0x20: return .control(byte)
        case 0x20..<0x30:
            intermediate = byte
            state = .escapeIntermediate
            return .none
        case UInt8(ascii: "[") where state == .escape:
            parameters.removeAll()
            marker = 0
            intermediate = 0
            state = .sequenceEntry
            return .none
        case UInt8(ascii: "]") where state == .escape:
            string.removeAll(keepingCapacity: true)
            isStringTooLong = false
            stringLength = 0
            state = .operatingSystem
            return .none
        case UInt8(ascii: "P") where state == .escape:
            stringLength = 0
            state = .deviceHeader
            return .none
        case UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "k"):
            // Messages and tmux's own title: nothing here acts on them.
            guard state == .escape else { break }
            stringLength = 0
            state = .stringIgnored
            return .none
        case 0x7F...: return .none
        default: break
        }
        state = .ground
        return .escape(byte)
    }

    /// The parameters of a device control string.
    private mutating func takeDeviceHeader(_ byte: UInt8) -> Step {
        switch byte {
        case 0x3A: state = .stringIgnored
        case 0x40..<0x7F: state = .device
        default: break
        }
        return .none
    }

    /// A device control string, on which nothing here acts. As in tmux only `ESC \` ends it, since it may hold other
    /// sequences (a terminal's passthrough); what is cut off is ended by CAN, SUB, its length or whoever has a clock.
    private mutating func takeDevice(_ byte: UInt8) -> Step {
        if state == .deviceEscape {
            state = byte == UInt8(ascii: "\\") ? .ground : .device
        } else if byte == 0x1B {
            state = .deviceEscape
        }
        return .none
    }

    private mutating func takeSequence(_ byte: UInt8) -> Step {
        switch byte {
        case 0..<0x20: return .control(byte)
        case 0x30..<0x3C where state != .sequenceIntermediate && state != .sequenceIgnored:
            state = .sequenceParameter
            if !parameters.take(byte) { state = .sequenceIgnored }
        case 0x3C..<0x40 where state == .sequenceEntry:
            marker = byte
            state = .sequenceParameter
        case 0x20..<0x30 where state != .sequenceIgnored:
            intermediate = byte
            state = .sequenceIntermediate
        case 0x20..<0x40: state = .sequenceIgnored
        case 0x40..<0x7F:
            parameters.finish()
            let isWhole = state != .sequenceIgnored && dropGroups(for: byte)
            state = .ground
            return isWhole ? .sequence(byte) : .none
        default: break
        }
        return .none
    }

    /// Numbers joined by colons are SGR's alone: where another sequence would need them it means nothing.
    private mutating func dropGroups(for final: UInt8) -> Bool {
        let isFree = final == UInt8(ascii: "m") || final == UInt8(ascii: "s") || final == UInt8(ascii: "u")
        guard !isFree, let first = parameters.firstGroup else { return true }
        let takesTwo = final == UInt8(ascii: "H") || final == UInt8(ascii: "f") || final == UInt8(ascii: "r")
        guard first > (takesTwo ? 1 : 0) else { return false }
        parameters.removeAll(from: first)
        return true
    }

    private mutating func takeString(_ byte: UInt8) -> Step {
        if byte == 0x07 {
            state = .ground
            return isStringTooLong ? .none : .operatingSystemCommand
        }
        guard byte >= 0x20, !isStringTooLong else { return .none }
        if string.count < Self.maximumString { string.append(byte) } else { isStringTooLong = true }
        return .none
    }
}
