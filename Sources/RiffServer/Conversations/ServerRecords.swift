// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// What a Riff server keeps: conversations, the turns that it served, and the devices that want to be told.
public struct ServerRecords: Sendable {
    /// The conversations.
    package let conversations: any ConversationStore
    /// The turns, by their time.
    package let sessions: SessionIndex
    /// The devices.
    public let devices: DeviceRegistry

    /// Records of any kind.
    package init(conversations: any ConversationStore, sessions: SessionIndex, devices: DeviceRegistry) {
        (self.conversations, self.sessions, self.devices) = (conversations, sessions, devices)
    }

    /// Records in a folder of this machine: `conversations/`, `sessions/_index.jsonl`, `devices.json`. It is made, open
    /// to this user only, with the first of them.
    ///
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - conversations: Where conversations are kept instead, a database for one; `nil` keeps them in the folder.
    public init(folder: String, conversations: (any ConversationStore)? = nil) {
        self.init(
            conversations: conversations ?? ConversationFolder(path: "\(folder)/conversations"),
            sessions: SessionIndex(folder: "\(folder)/sessions"),
            devices: DeviceRegistry(path: "\(folder)/devices.json")
        )
    }
}
