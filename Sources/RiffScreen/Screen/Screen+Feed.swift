// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Takes bytes that a program wrote, split anywhere.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        changes.generation += 1
        if bytes.withContiguousStorageIfAvailable({ feed($0) }) == nil { Array(bytes).withUnsafeBufferPointer { feed($0) } }
    }

    /// Takes text as a program would write it, UTF-8.
    public mutating func feed(_ text: String) { feed(text.utf8) }

    private mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if parser.isGround {
                if byte >= 0x20, byte < 0x7F, !decoder.isOpen {
                    index += printASCII(UnsafeBufferPointer(rebasing: bytes[index...]))
                    continue
                }
                if byte >= 0x80 {
                    decode(byte)
                    index += 1
                    continue
                }
                if decoder.isOpen {
                    decoder.reset()
                    print(0xFFFD)
                    continue
                }
            }
            perform(parser.take(byte))
            index += 1
        }
    }

    private mutating func decode(_ byte: UInt8) {
        switch decoder.take(byte) {
        case .more: break
        case .scalar(let scalar): print(scalar)
        case .invalid: print(0xFFFD)
        case .invalidBefore:
            print(0xFFFD)
            decode(byte)
        }
    }

    private mutating func perform(_ step: ControlParser.Step) {
        switch step {
        case .none: break
        case .control(let byte): control(byte)
        case .escape(let final): escape(final)
        case .sequence(let final): sequence(final)
        case .operatingSystemCommand: operatingSystemCommand(parser.string)
        }
    }
}
