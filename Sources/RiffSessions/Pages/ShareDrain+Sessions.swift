// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffShare

extension ShareDrain {
    /// Feeds the drain with what a manager's pages do, until the task is cancelled: files are brought over once the
    /// pages are set up and the one that is shown takes keys. The app still tells of its life cycle and of taps.
    ///
    /// - Parameter manager: The manager, which should also be what the drain types into.
    public func follow(_ manager: SessionManager) async {
        var isSetUp = false
        for await snapshot in manager.updates() {
            if snapshot.isSetUp, !isSetUp {
                isSetUp = true
                handle(.bootstrapped)
            }
            let isOpen = snapshot.pages.indices.contains(snapshot.activeIndex) && snapshot.active.state?.isOpen == true
            handle(isOpen ? .connected : .disconnected)
        }
        handle(.disconnected)
    }
}
