// Riff
// SPDX-License-Identifier: Apache-2.0

extension Array where Element == UInt8 {
    /// Overwrites the bytes before they are freed. Copies that others hold stay; the language promises no more.
    @inline(never)
    mutating func wipe() {
        for index in indices { self[index] = 0 }
        removeAll()
    }
}
