// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffACP
import Testing

import riff_chat

@Suite(.timeLimit(.minutes(5))) struct AgentPictureTests {
    @Test func `what an agent says by itself is read to its end`() async throws {
        let conversation = ACPConversation(following: "s")
        let apply = try #require(conversation.handlers.update)
        var updates = conversation.changes().makeAsyncIterator()
        var (view, answer, text) = (ChatView(), nil as Int?, "" as HarmlessText)
        for piece in ["Hel", "lo **wor", "ld**"] {
            let chunk = ACP.ContentChunk(content: .text(ACP.TextContent(text: piece)))
            await apply(ACP.SessionNotification(sessionID: "s", update: .agentMessageChunk(chunk)))
            let update = try #require(await updates.next())
            text += view.take(ChatPicture(update, answer: &answer))
            // What it said while it worked is whole when it is done.
            var said: Int? = 0
            #expect(ChatPicture(update, answer: &said).items.map(\.isOpen) == [false])
        }
        var (whole, picture) = (ChatView(), ChatPicture())
        picture.items = [.init(0, .answer, "Hello **world**", startsOver: true, isOpen: true)]
        #expect(text + view.live == whole.take(picture) + whole.live)
        #expect((text + view.live).text.contains("world"))
    }
}
