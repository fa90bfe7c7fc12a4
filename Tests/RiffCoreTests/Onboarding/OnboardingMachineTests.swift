// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct OnboardingMachineTests {
    private let key: SSHPublicKey
    private let other: SSHPublicKey
    private let details = HostDetails(host: "box", user: "me")
    private let problem = CoreError(.storeFailed, "no")

    init() throws {
        key = try #require(SSHPrivateKey.makeEd25519().publicKey)
        other = try #require(SSHPrivateKey.makeEd25519().publicKey)
    }

    private func names(_ effects: [OnboardingMachine.Effect]) -> [String] {
        effects.map {
            switch $0 {
            case .makeKey: "make"
            case .importKey: "import"
            case .discardKey: "discard"
            case .test(let address, let user, let run): "test \(user)@\(address) \(run)"
            case .cancelTest: "cancel"
            case .save(let address, let user): "save \(user)@\(address)"
            }
        }
    }

    private var ready: HostReadiness {
        var readiness = HostReadiness()
        readiness.settle(.harness, as: .passed)
        return readiness
    }

    private var refused: HostReadiness {
        var readiness = HostReadiness()
        readiness.settle(.authorization, as: .failed(problem))
        return readiness
    }

    /// A machine at the last page, with a test under way or not.
    private func atConnect(testing: Bool = false, existingKey: SSHPublicKey? = nil) -> OnboardingMachine {
        var machine = OnboardingMachine(details: details, existingKey: existingKey)
        _ = machine.handle(.quickSetup)
        _ = machine.handle(.keyReady(key))
        _ = machine.handle(.next)
        _ = machine.handle(.next)
        #expect(machine.state.step == .connect)
        if testing { #expect(names(machine.handle(.connect)) == ["test me@box 1"]) }
        return machine
    }

    @Test func `page after page to the end`() {
        var machine = OnboardingMachine()
        #expect(machine.state.step == .requirements)
        #expect(machine.handle(.next).isEmpty)
        #expect(machine.state.step == .keyChoice)
        #expect(names(machine.handle(.choose(.generate))) == ["make"])
        #expect(machine.state.isBusy)
        #expect(machine.handle(.keyReady(key)).isEmpty)
        #expect(machine.state.step == .authorize)
        #expect(machine.state.authorizeCommand == key.authorizeCommand)
        #expect(machine.handle(.next).isEmpty)
        #expect(machine.state.step == .details)
        #expect(machine.handle(.edit(details)).isEmpty)
        #expect(machine.handle(.next).isEmpty)
        #expect(names(machine.handle(.connect)) == ["test me@box 1"])
        #expect(machine.handle(.progress(HostReadiness(), run: 1)).isEmpty)
        #expect(machine.state.readiness != nil)
        #expect(names(machine.handle(.tested(ready, run: 1))) == ["save me@box"])
        #expect(machine.state.isBusy)
        #expect(machine.handle(.saved).isEmpty)
        #expect(machine.state.step == .done && !machine.state.isBusy && machine.state.problem == nil)
        #expect(machine.handle(.back).isEmpty && machine.handle(.reset).isEmpty)
        #expect(machine.state.step == .done)
    }

    @Test func `the quick way skips what is known, and takes the key there is`() {
        var new = OnboardingMachine()
        #expect(names(new.handle(.quickSetup)) == ["make"])
        #expect(new.state.step == .requirements && new.state.isBusy)
        _ = new.handle(.keyReady(key))
        #expect(new.state.step == .authorize)

        var again = OnboardingMachine(details: details, existingKey: key)
        #expect(again.handle(.quickSetup).isEmpty)
        #expect(again.state.step == .authorize && again.state.publicKey == key)
    }

    @Test func `a form with mistakes is not left, and its marks go as they are mended`() {
        var machine = OnboardingMachine(details: HostDetails(port: "x"), existingKey: key)
        _ = machine.handle(.quickSetup)
        _ = machine.handle(.next)
        #expect(machine.state.invalidFields.isEmpty)
        #expect(machine.handle(.next).isEmpty)
        #expect(machine.state.step == .details)
        #expect(Set(machine.state.invalidFields.keys) == [.host, .port, .user])
        _ = machine.handle(.edit(HostDetails(host: "box", port: "x", user: "")))
        #expect(Set(machine.state.invalidFields.keys) == [.port, .user])
        // A new mistake is marked only when the person tries to go on.
        _ = machine.handle(.edit(HostDetails(host: "", port: "", user: "me")))
        #expect(machine.state.invalidFields.isEmpty)
        _ = machine.handle(.edit(details))
        _ = machine.handle(.next)
        #expect(machine.state.step == .connect)
    }

    @Test func `a key that cannot be had leaves the page and its reason`() {
        var machine = OnboardingMachine()
        _ = machine.handle(.next)
        _ = machine.handle(.choose(.bring))
        #expect(machine.state.step == .keyImport)
        #expect(names(machine.handle(.importKey(Secret("x"), passphrase: nil))) == ["import"])
        _ = machine.handle(.keyFailed(problem))
        #expect(machine.state.step == .keyImport && !machine.state.isBusy)
        #expect(machine.state.problem?.stableCode == "core.storeFailed")
        _ = machine.handle(.back)
        #expect(machine.state.step == .keyChoice && machine.state.problem == nil)
        #expect(machine.handle(.choose(.keep)).isEmpty)
        #expect(machine.state.step == .keyChoice)
    }

    @Test func `a failed test can be made again, or what it was made with changed`() {
        var machine = atConnect(testing: true)
        #expect(machine.handle(.tested(refused, run: 1)).isEmpty)
        #expect(machine.state.step == .connect && !machine.state.isBusy)
        #expect(machine.state.problem?.stableCode == "core.storeFailed")
        #expect(machine.state.readiness?[.authorization]?.problem != nil)
        #expect(names(machine.handle(.connect)) == ["test me@box 2"])
        #expect(machine.state.problem == nil && machine.state.readiness == nil)
        _ = machine.handle(.testFailed(problem, run: 2))
        #expect(machine.state.problem != nil)
        _ = machine.handle(.back)
        _ = machine.handle(.edit(HostDetails(host: "other", port: "2222", user: "you")))
        _ = machine.handle(.next)
        #expect(names(machine.handle(.connect)) == ["test you@other:2222 4"])
        _ = machine.handle(.testCancelled(run: 4))
        #expect(machine.state.problem == nil && !machine.state.isBusy && machine.state.step == .connect)
    }

    @Test func `reports of a test that was given up change nothing`() {
        var machine = atConnect(testing: true)
        #expect(names(machine.handle(.back)) == ["cancel"])
        #expect(machine.state.step == .details)
        for report: OnboardingMachine.Report in [
            .tested(ready, run: 1), .progress(ready, run: 1), .testFailed(problem, run: 1), .testCancelled(run: 1),
            .saved, .saveFailed(problem), .keyReady(other), .keyFailed(problem),
        ] {
            #expect(machine.handle(report).isEmpty)
            #expect(machine.state.step == .details && machine.state.problem == nil && machine.state.readiness == nil)
            #expect(machine.state.publicKey == key)
        }
        _ = machine.handle(.next)
        #expect(names(machine.handle(.connect)) == ["test me@box 3"])
        #expect(machine.handle(.tested(ready, run: 1)).isEmpty)
        #expect(machine.state.isBusy)
    }

    @Test func `what is being stored is not left, and a store that fails is told`() {
        var machine = atConnect(testing: true)
        _ = machine.handle(.tested(ready, run: 1))
        for action: OnboardingMachine.Action in [.back, .reset, .connect, .next] {
            #expect(machine.handle(action).isEmpty)
        }
        #expect(machine.state.step == .connect && machine.state.isBusy)
        _ = machine.handle(.saveFailed(problem))
        #expect(machine.state.problem != nil && machine.state.step == .connect)
        #expect(names(machine.handle(.connect)) == ["test me@box 2"])
    }

    @Test func `a reset forgets what was entered and made, and keeps the key from before`() {
        var new = atConnect(testing: true)
        #expect(names(new.handle(.reset)) == ["cancel", "discard"])
        #expect(new.state.step == .requirements && new.state.publicKey == nil && new.state.details == details)

        var again = OnboardingMachine(details: details, existingKey: key)
        _ = again.handle(.quickSetup)
        #expect(again.handle(.reset).isEmpty)
        #expect(again.state.publicKey == key && again.state.canKeepKey)
        _ = again.handle(.next)
        _ = again.handle(.choose(.generate))
        // The key that is being made would belong to nobody.
        #expect(again.handle(.reset).isEmpty)
        _ = again.handle(.keyReady(other))
        #expect(again.state.publicKey == other)
        _ = again.handle(.back)
        #expect(names(again.handle(.choose(.keep))) == ["discard"])
        #expect(again.state.publicKey == key && again.state.step == .authorize)
    }

    @Test func `a page is not left while something is under way, and not before it is complete`() {
        var machine = OnboardingMachine()
        _ = machine.handle(.next)
        #expect(machine.handle(.next).isEmpty)
        #expect(machine.state.step == .keyChoice)
        _ = machine.handle(.choose(.generate))
        for action: OnboardingMachine.Action in [
            .next, .choose(.generate), .choose(.bring), .quickSetup, .connect, .edit(details),
        ] {
            #expect(machine.handle(action).isEmpty)
            #expect(machine.state.step == .keyChoice && machine.state.isBusy)
        }
        #expect(OnboardingStep.allCases.sorted() == OnboardingStep.allCases)
    }

    @Test func `a warning does not keep a host from being stored`() {
        var machine = atConnect(testing: true)
        var readiness = ready
        readiness.settle(.loginShell, as: .warned(problem))
        #expect(names(machine.handle(.tested(readiness, run: 1))) == ["save me@box"])
        _ = machine.handle(.saved)
        #expect(machine.state.readiness?.warnings.count == 1)
    }
}
