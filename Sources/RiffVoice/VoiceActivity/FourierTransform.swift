// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A discrete Fourier transform of a power of two complex numbers, in place.
///
/// Two real signals are transformed at once, as the real and the imaginary part: `X[k]` of the first is
/// `(Z[k] + conj Z[n - k]) / 2`, of the second `(Z[k] - conj Z[n - k]) / 2i`.
struct FourierTransform: Sendable {
    let count: Int

    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int]

    /// - Parameter count: A power of two.
    init(count: Int) {
        precondition(count > 1 && count & (count - 1) == 0, "The transform is of a power of two.")
        self.count = count
        let angles = (0..<(count / 2)).map { -2 * Double.pi * Double($0) / Double(count) }
        cosines = angles.map { Float(cos($0)) }
        sines = angles.map { Float(sin($0)) }
        let bits = count.trailingZeroBitCount
        reversed = (0..<count).map { index in
            (0..<bits).reduce(0) { $0 << 1 | (index >> $1 & 1) }
        }
    }

    /// Transforms `count` numbers.
    func transform(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        reversed.withUnsafeBufferPointer { reversed in
            for index in 0..<count where reversed[index] > index {
                swap(&real[index], &real[reversed[index]])
                swap(&imaginary[index], &imaginary[reversed[index]])
            }
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
                var half = 1
                while half < count {
                    join(half, cosines, sines, real, imaginary)
                    half *= 2
                }
            }
        }
    }

    /// Makes transforms of twice the length of pairs of transforms of `half` numbers.
    private func join(
        _ half: Int,
        _ cosines: UnsafePointer<Float>,
        _ sines: UnsafePointer<Float>,
        _ real: UnsafeMutablePointer<Float>,
        _ imaginary: UnsafeMutablePointer<Float>
    ) {
        let step = count / (2 * half)
        var start = 0
        while start < count {
            let (highReal, highImaginary) = (real + start + half, imaginary + start + half)
            let (lowReal, lowImaginary) = (real + start, imaginary + start)
            var index = 0
            while index < half {
                let (cosine, sine) = (cosines[index &* step], sines[index &* step])
                let turnedReal = highReal[index] * cosine - highImaginary[index] * sine
                let turnedImaginary = highReal[index] * sine + highImaginary[index] * cosine
                highReal[index] = lowReal[index] - turnedReal
                highImaginary[index] = lowImaginary[index] - turnedImaginary
                lowReal[index] += turnedReal
                lowImaginary[index] += turnedImaginary
                index &+= 1
            }
            start += 2 * half
        }
    }
}
