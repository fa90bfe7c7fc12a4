// Riff
// SPDX-License-Identifier: Apache-2.0

/// The place of a request, or of something that the hub told, in the order in which a machine saw them.
///
/// An answer says nothing of what has a greater number than its request.
package struct HubSequenceNumber: RawRepresentable, Sendable, Hashable, Comparable {
    /// The number, from 1 on.
    package let rawValue: Int

    /// Creates a sequence number from its number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The number before all others.
    static let zero = HubSequenceNumber(rawValue: 0)
    /// The number after all others.
    package static let max = HubSequenceNumber(rawValue: .max)

    /// The number after this one.
    var next: HubSequenceNumber { HubSequenceNumber(rawValue: rawValue + 1) }

    /// Returns the number that came so many before this one.
    func earlier(by count: Int) -> HubSequenceNumber { HubSequenceNumber(rawValue: rawValue - count) }

    package static func < (first: HubSequenceNumber, second: HubSequenceNumber) -> Bool {
        first.rawValue < second.rawValue
    }
}
