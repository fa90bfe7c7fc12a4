// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubHistoryTests {
    private static func told(_ texts: [String], from time: Double = 100) -> [HubChatMessage] {
        texts.enumerated().map { index, text in
            HubChatMessage(text.hasPrefix("u") ? .user : .assistant, text, time: time + Double(index))
        }
    }
    private static func live(_ text: String, id: HubChatMessage.ID? = nil) -> HubChatMessage {
        HubChatMessage(text.hasPrefix("u") ? .user : .assistant, text, id: id)
    }

    @Test func `what came live is found in the history by role and text, in order`() {
        var history = HubHistory()
        history.merge(Self.told(["a1", "u1"]), askedAt: 0)
        for text in ["a2", "u2", "a3"] { history.append(Self.live(text)) }
        let news = history.merge(Self.told(["a1", "u1", "a2", "u2", "a3"]), askedAt: history.mark)
        #expect(news == 0)
        #expect(history.messages.map(\.text) == ["a1", "u1", "a2", "u2", "a3"])
        #expect(history.messages.allSatisfy { $0.time != nil })
    }

    @Test func `the same words said again are two messages; the same message twice is one`() {
        var history = HubHistory()
        for text in ["a1", "u-yes", "a2", "u-yes"] { #expect(history.append(Self.live(text)) == .added) }
        #expect(history.append(Self.live("u-yes")) == .known)
        history.merge(Self.told(["a1", "u-yes", "a2", "u-yes"]), askedAt: history.mark)
        #expect(history.messages.map(\.text) == ["a1", "u-yes", "a2", "u-yes"])
        history.append(Self.live("a3", id: "m"))
        #expect(history.append(Self.live("other", id: "m")) == .known)
        #expect(history.messages.count == 5)
    }

    @Test func `what the hub has forgotten is forgotten, unless it only told a page`() {
        var history = HubHistory()
        history.merge(Self.told(["a1", "u1", "a2"]), askedAt: 0)
        let newest = Self.told(["u1", "a2", "u2"], from: 101)
        history.merge(newest, askedAt: history.mark, hasMore: true)
        #expect(history.messages.map(\.text) == ["a1", "u1", "a2", "u2"])
        history.merge(newest, askedAt: history.mark)
        #expect(history.messages.map(\.text) == ["u1", "a2", "u2"])
    }

    @Test func `what was missed is counted, and stands where it was said`() {
        var history = HubHistory()
        history.merge(Self.told(["a1"]), askedAt: 0)
        history.append(Self.live("a4"))
        #expect(history.merge(Self.told(["a1", "u2", "a3", "a4"]), askedAt: history.mark) == 2)
        #expect(history.messages.map(\.text) == ["a1", "u2", "a3", "a4"])
        #expect(history.merge(Self.told(["a1", "u2", "a3", "a4"]), askedAt: history.mark) == 0)
    }

    @Test func `what came live while the history was under way stays behind it`() {
        var history = HubHistory()
        history.append(Self.live("a3"))
        #expect(history.merge(Self.told(["a1", "u2"]), askedAt: 0) == 0)
        #expect(history.messages.map(\.text) == ["a1", "u2", "a3"])
        var other = HubHistory()
        other.append(Self.live("a1"))
        other.merge([], askedAt: 0)
        #expect(other.messages.map(\.text) == ["a1"])
    }

    @Test func `the first history is not news, but what follows something known is`() {
        var empty = HubHistory()
        #expect(empty.merge(Self.told(["a1", "u2"]), askedAt: 0) == 0)
        var known = HubHistory()
        known.append(Self.live("a2"))
        #expect(known.merge(Self.told(["a1", "a2", "u3"]), askedAt: known.mark) == 1)
    }

    @Test func `a history that was cleared is empty here as well`() {
        var history = HubHistory()
        history.merge(Self.told(["a1", "u2"]), askedAt: 0)
        history.append(Self.live("a3"))
        history.merge([], askedAt: history.mark)
        #expect(history.messages.isEmpty)
        history.merge(Self.told(["a9"], from: 900), askedAt: history.mark)
        #expect(history.messages.map(\.text) == ["a9"])
        history.clear()
        #expect(history.shown.isEmpty)
    }

    @Test func `201 messages are 200 kept and 50 shown, and what is no chat is not shown`() {
        var history = HubHistory()
        for number in 1...201 { history.append(Self.live("a\(number)")) }
        #expect(history.messages.count == 200 && history.messages.first?.text == "a2")
        #expect(history.shown.count == 50 && history.shown.last?.text == "a201")
        history.append(HubChatMessage(.activity, "Waiting"))
        history.append(HubChatMessage(.user, "", id: "m", isBareAck: true))
        #expect(history.shown.last?.text == "a201")
    }

    @Test func `pages go before what is known, and a page is not all there is`() {
        var history = HubHistory()
        history.merge(Self.told(["a5", "u6"], from: 105), askedAt: 0, hasMore: true)
        history.prepend(Self.told(["a3", "u4", "a5"], from: 103))
        #expect(history.messages.map(\.text) == ["a3", "u4", "a5", "u6"])
        history.merge(Self.told(["u6", "a7"], from: 106), askedAt: history.mark, hasMore: true)
        #expect(history.messages.map(\.text) == ["a3", "u4", "a5", "u6", "a7"])
    }

    @Test func `messages with ids are found by them`() {
        var history = HubHistory()
        history.append(Self.live("a1", id: "m1"))
        let told = [HubChatMessage(.assistant, "a1 as stored", time: 1, id: "m1")]
        #expect(history.merge(told, askedAt: history.mark) == 0)
        #expect(history.messages == told)
        #expect(history.append(Self.live("a1", id: "m1")) == .known)
    }
}
