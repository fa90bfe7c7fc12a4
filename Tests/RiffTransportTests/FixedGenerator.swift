// Riff
// SPDX-License-Identifier: Apache-2.0

/// Always the same number.
///
/// The number is stored for the thread sanitizer's sake: a value of an empty type has no address, the compiler passes
/// an undefined one to generic code, and the sanitizer, which is told of every access to an `inout` argument there,
/// reads it.
struct FixedGenerator: RandomNumberGenerator {
    let number: UInt64

    func next() -> UInt64 { number }
}
