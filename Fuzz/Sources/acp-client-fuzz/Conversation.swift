// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport

/// One conversation with an agent that answers the handshake, writes the bytes, and ends.
func converse(_ bytes: [UInt8]) async {
    let (mine, theirs) = InMemoryByteChannel.makePair()
    let conversation = ACPConversation()
    var handlers = conversation.handlers
    handlers.permission = { $0.denial }
    handlers.readTextFile = { _ in ACP.ReadTextFileResponse(content: "text") }
    handlers.writeTextFile = { _ in ACP.WriteTextFileResponse() }
    handlers.elicitation = { _ in ACP.CreateElicitationResponse(action: .decline) }
    await withTaskGroup(of: Void.self) { group in
        group.addTask {
            let hello = #"{"id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}"#
            let session = #"{"id":1,"result":{"sessionId":"s"}}"#
            do {
                try await theirs.write(Array("\(hello)\n\(session)\n".utf8) + bytes)
                try await theirs.finishWriting()
            } catch {
                // The client has left.
            }
            // What was written is still read; the client need not wait for how the agent ended.
            await theirs.close()
        }
        group.addTask {
            // What the client writes, so that it never waits for somebody to read it.
            do { for try await _ in theirs.output {} } catch {
                // The client has left.
            }
        }
        // How it ends is the input's business; that it ends is ours.
        let source = ACPAgentSource.channel(ACPLineChannel(mine))
        let configuration = ACPClient.Configuration(closeGrace: .zero)
        try? await withACPClient(source, configuration: configuration, handlers: handlers) { client in
            try await conversation.start(on: client, in: "/")
            try await conversation.send("go")
            let chat = await conversation.chat
            precondition(!chat.isRunning, "The turn ended, and the chat says it runs.")
        }
        await theirs.close()
        group.cancelAll()
    }
}
