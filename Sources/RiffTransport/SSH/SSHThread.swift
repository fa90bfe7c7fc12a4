// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix

/// A thread of one connection's own, for one whose credentials make it wait. It ends with the last owner: only then can
/// nobody call the connection any more.
final class SSHThread: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    var loop: any EventLoop { group.next() }

    deinit {
        // The last owner may be let go on the thread itself, which cannot wait for its own end. The only failure is a
        // group that was shut down already, and nobody else can do that.
        group.shutdownGracefully { _ in }
    }
}
