import FleetCore
import Testing

@Suite("A node's own lease")
struct NodeLeaseTests {
    private let timing = FleetTiming(leaseSeconds: 30)
    private let start = Duration.seconds(1000)

    @Test(
        "It works for two thirds of the lease, and is over at five sixths, counted from before the renewal was sent",
        arguments: [
            (0, NodeLease.Standing.works, 25), (5, .works, 20), (19, .works, 6), (20, .pauses, 0),
            (24, .pauses, 0),
            (25, .stopped, 0), (1000, .stopped, 0),
        ]
    )
    func standing(age: Int, standing: NodeLease.Standing, daemon: Int) {
        var lease = NodeLease(timing)
        lease.renewed(sentAt: start)
        let now = start + .seconds(age)
        #expect(lease.standing(at: now) == standing)
        #expect(lease.daemonLease(at: now) == daemon)
    }

    @Test("No daemon is ever told to go on for longer than the lease lasts, whenever it is told")
    func neverLonger() {
        for seconds in [6, 7, 30, 31, 600] {
            let timing = FleetTiming(leaseSeconds: seconds)
            var lease = NodeLease(timing)
            lease.renewed(sentAt: start)
            for tenth in 0..<seconds * 10 {
                let age = Duration.milliseconds(tenth * 100)
                #expect(age + .seconds(lease.daemonLease(at: start + age)) <= timing.lease)
            }
        }
    }

    @Test("Without a renewal it stands still; an older answer doesn't shorten it; a lost one ends it")
    func changes() {
        var lease = NodeLease(timing)
        #expect(lease.standing(at: start) == .stopped && lease.wantsRenewal(at: start))
        lease.renewed(sentAt: start)
        #expect(!lease.wantsRenewal(at: start + .seconds(4)) && lease.wantsRenewal(at: start + .seconds(5)))
        lease.renewed(sentAt: start - .seconds(7))
        #expect(lease.standing(at: start + .seconds(19)) == .works)
        lease.lost()
        #expect(lease.standing(at: start) == .stopped && lease.daemonLease(at: start) == 0)
    }

    @Test("Claims keep the lease, and don't keep a node from looking how the fleet stands")
    func claims() {
        var lease = NodeLease(timing)
        lease.renewed(sentAt: start)
        for second in 1...100 {
            let now = start + .seconds(second)
            lease.renewed(sentAt: now, byClaim: true)
            #expect(lease.standing(at: now) == .works && lease.wantsRenewal(at: now) == (second >= 5))
        }
        lease.renewed(sentAt: start + .seconds(100))
        #expect(!lease.wantsRenewal(at: start + .seconds(104)))
    }

    @Test("Who hears of the database again gives others time to be back before it declares them dead")
    func settles() {
        var lease = NodeLease(FleetTiming(leaseSeconds: 30))
        #expect(!lease.mayBury(at: .seconds(1000)))
        for second in stride(from: 100, through: 130, by: 5) {
            lease.renewed(sentAt: .seconds(second))
            #expect(lease.mayBury(at: .seconds(second)) == (second >= 110), "\(second)")
        }
        // After an outage that all have seen, all leases are over.
        #expect(lease.mayBury(at: .seconds(145)) && !lease.mayBury(at: .seconds(146)))
        lease.renewed(sentAt: .seconds(190))
        #expect(!lease.mayBury(at: .seconds(199)) && lease.mayBury(at: .seconds(200)))
        lease.lost()
        lease.renewed(sentAt: .seconds(201))
        #expect(!lease.mayBury(at: .seconds(205)))
    }

    @Test(
        "When the database's clock steps, nobody is declared dead until the others have renewed their leases"
    )
    func clockSteps() {
        for step in [-3600.0, -6, 6, 3600] {
            var lease = NodeLease(timing)
            for second in stride(from: 0, through: 20, by: 5) {
                lease.renewed(sentAt: start + .seconds(second))
                lease.database(1e9 + Double(second), sentAt: start + .seconds(second))
            }
            #expect(lease.mayBury(at: start + .seconds(20)))
            #expect(lease.databaseTime(at: start + .seconds(22)) == 1e9 + 22)
            lease.renewed(sentAt: start + .seconds(25))
            lease.database(1e9 + 25 + step, sentAt: start + .seconds(25))
            #expect(!lease.mayBury(at: start + .seconds(26)))
            lease.renewed(sentAt: start + .seconds(34))
            lease.database(1e9 + 34 + step, sentAt: start + .seconds(34))
            #expect(!lease.mayBury(at: start + .seconds(34)) && lease.mayBury(at: start + .seconds(35)))
        }
    }
}
