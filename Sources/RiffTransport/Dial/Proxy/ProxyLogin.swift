// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A user's login at a proxy. It goes over the connection to the proxy as it is (RFC 1929, RFC 7617): in the clear,
/// unless that connection is protected itself.
public struct ProxyLogin: Sendable, Hashable {
    /// The user's name.
    public var user: String
    /// The password for the proxy.
    public var password: Secret

    /// Creates a login.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
    }
}
