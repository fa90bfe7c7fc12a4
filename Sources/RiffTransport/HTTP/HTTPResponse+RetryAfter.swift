// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension HTTPResponse {
    /// The time to wait before the next request: `Retry-After` in seconds (RFC 9110, section 10.2.3), at most a day.
    ///
    /// Its other form, a date, counts as absent: the two clocks may differ by more than the wait.
    package var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter], let seconds = Double(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
