// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The parameters of a request, which say what its method is and what answers it.
public protocol ACPRequest: JSONConvertible {
    /// The response of the other side.
    associatedtype Response: JSONConvertible

    /// The method's name on the wire.
    static var method: String { get }
}

/// The parameters of a notification, which has no answer.
public protocol ACPNotification: JSONConvertible {
    /// The method's name on the wire.
    static var method: String { get }
}
