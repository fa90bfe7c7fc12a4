// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleFrontEnd
import Testing

struct ScrollMomentumTests {
    @Test func `it slows down and rests, and never turns back`() {
        for velocity in [2500.0, -900, 11] {
            var momentum = ScrollMomentum(velocity: velocity)
            var total = 0.0
            var frames = 0
            while !momentum.isAtRest, frames < 1000 {
                let before = abs(momentum.velocity)
                let step = momentum.advance(by: .milliseconds(16))
                #expect(step * velocity > 0 && abs(momentum.velocity) < before)
                total += step
                frames += 1
            }
            // From the speed at the start to the one at rest: 2 points of speed a second for each point of way.
            #expect(abs(total - (velocity - (velocity < 0 ? -10 : 10)) / 2.002002) < 0.01)
            #expect(momentum.advance(by: .seconds(1)) == 0)
        }
    }

    @Test func `the way depends on the time, not on the frames`() {
        var whole = ScrollMomentum(velocity: 1500)
        var parts = whole
        let distance = whole.advance(by: .milliseconds(600))
        let sum = [100, 1, 299, 200].reduce(0.0) { $0 + parts.advance(by: .milliseconds($1)) }
        #expect(abs(distance - sum) < 1e-6 && abs(whole.velocity - parts.velocity) < 1e-6)
        var long = ScrollMomentum(velocity: 1500)
        var endless = long
        #expect(long.advance(by: .seconds(10)) == endless.advance(by: .seconds(1000)) && long.isAtRest)
    }

    @Test(arguments: [0, 9.99, -9.99, .nan, .infinity])
    func `a finger that hardly moved leaves it at rest`(_ velocity: Double) {
        var momentum = ScrollMomentum(velocity: velocity)
        #expect(momentum.isAtRest && momentum.advance(by: .seconds(1)) == 0)
        var moving = ScrollMomentum(velocity: 100)
        #expect(moving.advance(by: .zero) == 0 && moving.advance(by: .seconds(-1)) == 0 && moving.velocity == 100)
    }
}
