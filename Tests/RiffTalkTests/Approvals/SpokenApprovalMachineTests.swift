// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import RiffTesting
import Testing

struct SpokenApprovalMachineTests {
    static func request(_ name: String) -> ApprovalRequest {
        ApprovalRequest(id: ApprovalRequest.ID(rawValue: name), question: "May I do \(name)?")
    }

    static let one = request("one")
    static let two = request("two")

    @Test func `a plain yes after the reading allows this once`() {
        var machine = SpokenApprovalMachine()
        #expect(machine.handle(.asked(Self.one)) == [.read(Self.one)])
        #expect(
            machine.handle(.readOut(Self.one.id, at: .seconds(5)))
                == [.listen(Self.one.id, reading: 1, for: .seconds(20))]
        )
        #expect(machine.handle(.heard("Yes, go ahead.", began: .seconds(6))) == [.allowOnce(Self.one.id)])
        #expect(machine.request == nil)
        #expect(machine.handle(.heard("yes", began: .seconds(7))).isEmpty)
        #expect(machine.handle(.timeIsOver(Self.one.id, reading: 1)).isEmpty)
    }

    @Test func `a yes that began before the end of the reading, or right behind it, is none`() {
        var machine = SpokenApprovalMachine()
        _ = machine.handle(.asked(Self.one))
        #expect(machine.handle(.heard("yes", began: .seconds(1))).isEmpty)
        _ = machine.handle(.readOut(Self.one.id, at: .seconds(5)))
        #expect(machine.handle(.heard("yes", began: .seconds(4))).isEmpty)
        #expect(machine.handle(.heard("yes", began: .milliseconds(5_299))).isEmpty)
        #expect(machine.handle(.heard("yes", began: .milliseconds(5_300))) == [.allowOnce(Self.one.id)])
    }

    @Test func `a no counts from the first word of the reading on`() {
        var machine = SpokenApprovalMachine()
        _ = machine.handle(.asked(Self.one))
        #expect(machine.handle(.heard("no wait", began: .zero)) == [.stopReading(Self.one.id), .deny(Self.one.id)])
        _ = machine.handle(.asked(Self.two))
        _ = machine.handle(.readOut(Self.two.id, at: .seconds(5)))
        #expect(machine.handle(.heard("okay, wait, don't", began: .seconds(4))) == [.deny(Self.two.id)])
    }

    @Test func `an older request gets no yes that was meant for another one`() {
        var machine = SpokenApprovalMachine()
        _ = machine.handle(.asked(Self.one))
        #expect(machine.handle(.asked(Self.two)).isEmpty, "one after another")
        _ = machine.handle(.readOut(Self.one.id, at: .seconds(5)))
        // The yes was begun for the first, which the agent took back before it was said to its end.
        #expect(machine.handle(.withdrawn(Self.one.id)) == [.read(Self.two)])
        #expect(machine.handle(.heard("yes", began: .seconds(6))).isEmpty)
        #expect(machine.handle(.readOut(Self.one.id, at: .seconds(7))).isEmpty, "it is not the one that is asked")
        _ = machine.handle(.readOut(Self.two.id, at: .seconds(8)))
        #expect(machine.handle(.heard("yes", began: .seconds(6))).isEmpty)
        #expect(machine.handle(.heard("yes", began: .seconds(9))) == [.allowOnce(Self.two.id)])
    }

    @Test(arguments: [SpokenApprovalPolicy.Unanswered.denied, .pending])
    func `what is neither is asked again, and then as it is configured; silence too`(
        unanswered: SpokenApprovalPolicy.Unanswered
    ) {
        let id = Self.one.id
        let end: SpokenApprovalMachine.Effect = unanswered == .denied ? .deny(id) : .leavePending(id)
        let policy = SpokenApprovalPolicy(unanswered: unanswered)
        var machine = SpokenApprovalMachine(policy)
        _ = machine.handle(.asked(Self.one))
        _ = machine.handle(.readOut(id, at: .zero))
        #expect(machine.handle(.heard("yes, always", began: .seconds(1))) == [.read(Self.one)])
        #expect(machine.handle(.timeIsOver(id, reading: 1)).isEmpty, "that time was for the first reading")
        #expect(machine.handle(.readOut(id, at: .seconds(9))) == [.listen(id, reading: 2, for: .seconds(20))])
        #expect(machine.handle(.heard("maybe", began: .seconds(10))) == [end])

        var silent = SpokenApprovalMachine(policy)
        _ = silent.handle(.asked(Self.one))
        #expect(silent.handle(.timeIsOver(id, reading: 1)).isEmpty, "it is still read")
        _ = silent.handle(.readOut(id, at: .zero))
        #expect(silent.handle(.timeIsOver(id, reading: 1)) == [end])

        var mute = SpokenApprovalMachine(policy)
        _ = mute.handle(.asked(Self.one))
        #expect(mute.handle(.readingFailed(id)) == [end], "nobody heard what was asked")
    }

    @Test func `no order of events allows what was not plainly allowed`() {
        var generator = SeededGenerator(seed: 7)
        let texts = ["yes", "no", "okay", "yes always", "go ahead", "wait", "", "hm"]
        var allowed = 0
        for _ in 0..<10_000 {
            var machine = SpokenApprovalMachine(
                SpokenApprovalPolicy(readings: Int.random(in: 1...3, using: &generator))
            )
            var (time, readEnd): (Duration, [ApprovalRequest.ID: Duration]) = (.zero, [:])
            var open: Set<ApprovalRequest.ID> = []
            for number in 0..<30 {
                time += .milliseconds(Int.random(in: 0...900, using: &generator))
                let id = ApprovalRequest.ID(rawValue: "\(Int.random(in: 0...3, using: &generator))")
                var event: SpokenApprovalMachine.Event
                switch Int.random(in: 0...5, using: &generator) {
                case 0: event = .asked(ApprovalRequest(id: id, question: "?"))
                case 1: event = .readOut(id, at: time)
                case 2: event = .timeIsOver(id, reading: Int.random(in: 1...3, using: &generator))
                case 3: event = .withdrawn(id)
                case 4: event = .readingFailed(id)
                default:
                    let began = max(.zero, time - .milliseconds(Int.random(in: 0...1_500, using: &generator)))
                    event = .heard(texts[number % texts.count], began: began)
                }
                let asked = machine.request?.id
                let effects = machine.handle(event)
                for effect in effects {
                    switch effect {
                    case .read(let request): (open, readEnd[request.id]) = (open.union([request.id]), nil)
                    case .listen(let id, _, _): readEnd[id] = time
                    case .allowOnce(let id):
                        allowed += 1
                        guard case .heard(let text, let began) = event, id == asked, let end = readEnd[id] else {
                            Issue.record("\(id) was allowed by \(event)")
                            return
                        }
                        #expect(["yes", "go ahead"].contains(text) && began >= end + .milliseconds(300))
                        #expect(open.remove(id) != nil, "once")
                    case .deny(let id), .leavePending(let id): #expect(open.remove(id) != nil, "once")
                    case .stopReading(let id): #expect(readEnd[id] == nil, "it is being read")
                    }
                }
                if case .withdrawn(let id) = event { open.remove(id) }
                #expect(open.isEmpty == (machine.request == nil))
            }
        }
        #expect(allowed > 100, "the test reaches what it is about")
    }
}
