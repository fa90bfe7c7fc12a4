// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A signature in its wire form: the algorithm's name, and what the algorithm says.
package struct SSHSignature: Sendable {
    package let algorithm: SSHSignatureAlgorithm
    package let bytes: [UInt8]

    package init(algorithm: SSHSignatureAlgorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    package init(blob: [UInt8]) throws(SSHError) {
        do throws(CoreError) {
            var reader = SSHWireReader(blob)
            guard let algorithm = SSHSignatureAlgorithm(rawValue: try reader.readName()) else {
                throw SSHWireReader.malformed
            }
            self.algorithm = algorithm
            bytes = Array(try reader.readString())
            guard reader.isAtEnd else { throw SSHWireReader.malformed }
        } catch {
            throw .violation("a signature is malformed")
        }
    }

    package var blob: [UInt8] {
        var writer = SSHWireWriter()
        writer.write(text: algorithm.rawValue)
        writer.write(string: bytes)
        return writer.bytes
    }

    /// r and s of an ECDSA signature, each as long as the curve's numbers: two numbers of any length go in, and what
    /// is longer is no signature.
    func ecdsaNumbers(bytes count: Int) -> [UInt8]? {
        var reader = SSHWireReader(bytes)
        guard let r = try? reader.readMPInt(), let s = try? reader.readMPInt(), reader.isAtEnd else { return nil }
        guard !r.isEmpty, !s.isEmpty, r.count <= count, s.count <= count else { return nil }
        var numbers: [UInt8] = []
        for number in [r, s] {
            numbers += Array(repeating: 0, count: count - number.count)
            numbers += number
        }
        return numbers
    }

    /// The wire form of r and s that are padded to the same length.
    static func ecdsaBytes(raw: [UInt8]) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.write(mpint: raw.prefix(raw.count / 2))
        writer.write(mpint: raw.suffix(raw.count / 2))
        return writer.bytes
    }
}
