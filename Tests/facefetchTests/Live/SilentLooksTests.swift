import Testing

@testable import facefetch

@Suite("Looks at what is waited for")
struct SilentLooksTests {
    @Test("Pauses grow from two seconds to thirty while nothing is heard, and begin again when something is")
    func pauses() {
        let start = ContinuousClock.now
        var looks = SilentLooks(now: start)
        #expect(!looks.isDue(now: start + .milliseconds(1999)) && looks.isDue(now: start + .seconds(2)))
        var now = start
        var pauses: [Duration] = []
        for _ in 1...6 {
            pauses.append(looks.pause)
            now += looks.pause
            // However long a look takes, the pause begins at its end.
            now += .seconds(100)
            looks.looked(now: now)
            #expect(!looks.isDue(now: now))
        }
        #expect(pauses == [2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
        looks.heard(now: now)
        #expect(looks.pause == .seconds(2) && !looks.isDue(now: now))
    }

    @Test("A look that is wanted at once is due until it is taken, and then paced like any other")
    func hurry() {
        let now = ContinuousClock.now
        var looks = SilentLooks(now: now)
        looks.hurry()
        looks.heard(now: now)
        #expect(looks.isDue(now: now))
        looks.looked(now: now)
        #expect(!looks.isDue(now: now + .seconds(3)) && looks.isDue(now: now + .seconds(4)))
    }
}
