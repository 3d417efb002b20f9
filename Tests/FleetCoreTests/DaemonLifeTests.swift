import FleetCore
import Testing

@Suite("The life of a node's daemon")
struct DaemonLifeTests {
    /// A daemon that has answered at times with how long it has been up, in seconds.
    private func life(_ answers: [(Double, Double)]) -> DaemonLife {
        var life = DaemonLife()
        for (moment, up) in answers {
            life.heard(up: .seconds(up), sentAt: .seconds(moment), answeredAt: .seconds(moment + 0.1))
        }
        return life
    }

    @Test("One that has been up for less than since its last answer is another process")
    func dies() {
        #expect(!life([(100, 3)]).owesBlame && !life([(100, 3), (105, 8)]).owesBlame)
        #expect(life([(100, 50), (105, 4.4)]).owesBlame && life([(100, 50), (101, 0)]).owesBlame)
        // An answer that comes late is that of the same one.
        #expect(!life([(100, 50), (105, 59)]).owesBlame)
        var life = life([(100, 50), (105, 1), (110, 6)])
        #expect(life.owesBlame)
        life.blamed()
        #expect(!life.owesBlame)
    }

    @Test("One that was given up has died once, however it comes back")
    func lost() {
        var life = life([(100, 50)])
        life.lost(at: .seconds(160))
        #expect(life.owesBlame)
        life.blamed()
        life.heard(up: .seconds(1), sentAt: .seconds(200), answeredAt: .seconds(200))
        #expect(!life.owesBlame)
    }

    @Test("Suspects wait until a further death is borne")
    func calm() {
        let life = life([(100, 50)] + (1...3).map { (100 + 10 * Double($0), 1.0) })
        #expect(life.mayTry(at: .seconds(130)))
        var fourth = life
        fourth.heard(up: .seconds(1), sentAt: .seconds(140), answeredAt: .seconds(140))
        #expect(!fourth.mayTry(at: .seconds(169)) && fourth.mayTry(at: .seconds(170)))
        fourth.heard(up: .seconds(1), sentAt: .seconds(175), answeredAt: .seconds(175))
        #expect(!fourth.mayTry(at: .seconds(179)) && fourth.mayTry(at: .seconds(180)))
    }
}
