// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct NewestStateSourceTests {
    private static func set(_ source: NewestStateSource<Int>, _ value: Int) {
        source.modify { state in
            defer { state = value }
            return state != value
        }
    }

    @Test func `a reader gets the state as it is, then the newest one, and nothing where nothing differs`() async {
        let source = NewestStateSource(1)
        var reader = source.updates().makeAsyncIterator()
        #expect(await reader.next() == 1)
        Self.set(source, 2)
        Self.set(source, 3)
        #expect(source.current == 3)
        #expect(await reader.next() == 3)
        Self.set(source, 3)
        Self.set(source, 4)
        #expect(await reader.next() == 4)
    }

    @Test func `a change wakes every reader that waits`() async {
        let source = NewestStateSource(0)
        let last = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for await value in source.updates() where value == 1_000 { return value }
                    return -1
                }
            }
            for value in 1...1_000 { Self.set(source, value) }
            var all: [Int] = []
            for await value in group { all.append(value) }
            return all
        }
        #expect(last == Array(repeating: 1_000, count: 8))
    }

    @Test func `the last state comes before the end, and stays`() async {
        let source = NewestStateSource(0)
        var reader = source.updates().makeAsyncIterator()
        #expect(await reader.next() == 0)
        Self.set(source, 1)
        source.finish()
        Self.set(source, 2)
        #expect(await reader.next() == 1)
        #expect(await reader.next() == nil)
        var late = source.updates().makeAsyncIterator()
        #expect(await late.next() == 1)
        #expect(await late.next() == nil)
    }

    @Test func `a reader ends with its task`() async {
        let source = NewestStateSource(0)
        let (begun, report) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for await _ in source.updates() {
                count += 1
                report.finish()
            }
            return count
        }
        for await _ in begun {}
        task.cancel()
        #expect(await task.value == 1)
    }
}
