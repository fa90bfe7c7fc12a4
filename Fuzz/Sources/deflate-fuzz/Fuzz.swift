// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffDeflate

/// What libFuzzer calls with each input: bytes as compressed data, in one piece and cut, and as data that is compressed
/// and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 2 else { return 0 }
    // The first byte says how the rest is cut, the second how it is wrapped.
    let chunk = Int(bytes[0]) % 32 + 1
    let format: Deflate.Format = [.raw, .zlib, .gzip][Int(bytes[1]) % 3]
    let body = Array(bytes[2...])
    do {
        let limits = DeflateLimits(outputBytes: 100_000)
        let whole = try read(body, body.count, format, limits)
        let pieces = try read(body, chunk, format, limits)
        precondition(whole.code == pieces.code, "Whether it is read depends on how the bytes are cut.")
        precondition(whole.output.count <= 100_000, "More came out than the limit.")
        // Where it is refused, how much came before may differ; one is the other's beginning.
        let (short, long) = whole.output.count < pieces.output.count ? (whole, pieces) : (pieces, whole)
        precondition(long.output.starts(with: short.output), "What is read depends on how the bytes are cut.")
        precondition(whole.code != nil || whole.output == pieces.output, "Whole data is read in two ways.")

        let deflater = try Deflater(format, level: Int(bytes[0]) % 10, windowBits: 9 + Int(bytes[1]) % 7)
        var packed: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: chunk) {
            packed += try deflater.compress(
                Array(body[start..<min(start + chunk, body.count)]),
                start % 3 == 0 ? .sync : .none
            )
        }
        packed += try deflater.compress([], .finish)
        let back = try Deflate.decompress(packed, as: format)
        precondition(back == body, "What was compressed does not come back.")
    } catch {
        preconditionFailure("\(error)")
    }
    return 0
}

private func read(
    _ body: [UInt8],
    _ chunk: Int,
    _ format: Deflate.Format,
    _ limits: DeflateLimits
) throws -> (output: [UInt8], code: DataError.Code?) {
    let inflater = try Inflater(format, limits: limits)
    var output: [UInt8] = []
    do throws(DataError) {
        for start in stride(from: 0, to: body.count, by: max(chunk, 1)) {
            inflater.feed(Array(body[start..<min(start + chunk, body.count)]))
            while let part = try inflater.next() { output += part }
        }
        try inflater.finish()
    } catch { return (output, error.code) }
    return (output, nil)
}
