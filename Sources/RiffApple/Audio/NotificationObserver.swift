// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(AVFAudio)
internal import Foundation

/// An observer of the notification center, until it is removed.
///
/// The token is immutable and opaque, and the center, which is all that it is given to, locks for itself: so it may be
/// removed from any thread.
struct NotificationObserver: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }

    func remove() { NotificationCenter.default.removeObserver(token) }
}
#endif
