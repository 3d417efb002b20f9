import JobCore
import Testing

@Suite("Leases of batches")
struct BatchLeasesTests {
    private let start = Moment(microseconds: 1_795_243_503_000_000)
    private let one = BatchID(rawValue: 1)
    private let two = BatchID(rawValue: 2)

    @Test("A lease lapses once, when its time is over, and not before")
    func lapses() {
        var leases = BatchLeases()
        leases.grant(two, seconds: 20, now: start)
        leases.grant(one, seconds: 20, now: start)
        #expect(leases.lapsesAt == start.adding(seconds: 20))
        #expect(leases.lapse(now: start.adding(seconds: 19.9)).isEmpty && !leases.isLapsed(one))
        #expect(leases.lapse(now: start.adding(seconds: 20)) == [one, two])
        #expect(leases.isLapsed(one) && leases.isLapsed(two) && leases.lapsesAt == nil)
        #expect(leases.lapse(now: start.adding(seconds: 99)).isEmpty)
    }

    @Test("A renewal counts from when it comes, for as long as was granted or as it says")
    func renews() {
        var leases = BatchLeases()
        leases.grant(one, seconds: 20, now: start)
        #expect(leases.renew(one, seconds: nil, now: start.adding(seconds: 15)) == .renewed)
        #expect(leases.lapsesAt == start.adding(seconds: 35))
        #expect(leases.renew(one, seconds: 7, now: start.adding(seconds: 16)) == .renewed)
        #expect(leases.lapsesAt == start.adding(seconds: 23))
        #expect(leases.lapse(now: start.adding(seconds: 23)) == [one])
        #expect(leases.renew(one, seconds: nil, now: start.adding(seconds: 40)) == .revived)
        #expect(!leases.isLapsed(one) && leases.lapsesAt == start.adding(seconds: 60))
    }

    @Test("With 0 seconds it is given up, once")
    func givesUp() {
        var leases = BatchLeases()
        leases.grant(one, seconds: 20, now: start)
        #expect(leases.renew(one, seconds: 0, now: start) == .givenUp)
        #expect(leases.isLapsed(one) && leases.renew(one, seconds: 0, now: start) == .renewed)
        #expect(leases.lapse(now: start.adding(seconds: 99)).isEmpty)
    }

    @Test("What is taken up from an earlier run has lapsed; what has no lease never does")
    func takesUp() {
        var leases = BatchLeases()
        #expect(leases.renew(one, seconds: nil, now: start) == .noLease && !leases.isLapsed(one))
        leases.takeUp(one, seconds: 5)
        #expect(leases.isLapsed(one) && !leases.isLapsed(two) && leases.lapsesAt == nil)
        #expect(leases.renew(one, seconds: nil, now: start) == .revived)
        #expect(leases.lapsesAt == start.adding(seconds: 5))
        leases.forget(one)
        #expect(leases.renew(one, seconds: nil, now: start) == .noLease)
    }
}
