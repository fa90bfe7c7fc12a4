// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Takes bytes that a program wrote, split anywhere.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        changes.generation += 1
        if bytes.withContiguousStorageIfAvailable({ feed($0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { feed($0) }
        }
    }

    /// Takes text as a program would write it, UTF-8.
    public mutating func feed(_ text: String) { feed(text.utf8) }

    /// Whether a control string (OSC, DCS, APC, PM, SOS) began and did not end yet: until it does, nothing is shown.
    public var isInControlString: Bool { parser.isInString }

    /// Drops a control string that did not end, so that what comes next is shown. CAN, SUB, another sequence and 16 MiB
    /// end one by themselves; whoever has a clock calls this before it feeds what came more than five seconds after the
    /// string began, as tmux does.
    public mutating func dropControlString() { parser.dropString() }

    private mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if parser.isGround {
                if byte >= 0x20, byte < 0x7F {
                    decoder.reset()
                    index += putASCII(UnsafeBufferPointer(rebasing: bytes[index...]))
                    continue
                }
                if byte >= 0x80 {
                    lastScalar = nil
                    if let scalar = decoder.take(byte) { put(scalar) }
                    index += 1
                    continue
                }
            }
            perform(parser.take(byte))
            index = parser.takeParameters(bytes, from: index + 1)
        }
    }

    private mutating func perform(_ step: ControlParser.Step) {
        switch step {
        case .none: return
        case .control(let byte):
            decoder.reset()
            control(byte)
        case .escape(let final): escape(final)
        case .sequence(let final): sequence(final)
        case .operatingSystemCommand: operatingSystemCommand(parser.string)
        }
        lastScalar = nil
        isJoining = false
    }
}
