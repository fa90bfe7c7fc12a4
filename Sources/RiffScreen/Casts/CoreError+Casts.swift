// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension CoreErrorCode {
    /// A file is no cast, or a line of it is no event.
    public static let malformedCast = CoreError.Code(rawValue: "malformedCast")
}
