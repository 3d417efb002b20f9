import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

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

    @Test(
        "Whatever becomes of very many leases, each lapses when its own time is over",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func many(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var leases = BatchLeases()
        var expected: [BatchID: Moment?] = [:]
        var now = start
        for _ in 0..<2000 {
            let batch = BatchID(rawValue: Int64.random(in: 1...30, using: &random))
            let seconds = Int.random(in: 1...60, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                leases.grant(batch, seconds: seconds, now: now)
                expected[batch] = .some(now.adding(seconds: Double(seconds)))
            case 1:
                leases.forget(batch)
                expected[batch] = nil
            case 2:
                _ = leases.renew(batch, seconds: 0, now: now)
                if expected[batch] != nil { expected[batch] = .some(nil) }
            case 3, 4, 5:
                _ = leases.renew(batch, seconds: seconds, now: now)
                if expected[batch] != nil { expected[batch] = .some(now.adding(seconds: Double(seconds))) }
            default:
                now = now.adding(seconds: Double.random(in: 0...3, using: &random))
                let over = expected.filter { entry in entry.value.map { $0 <= now } ?? false }.keys
                #expect(leases.lapse(now: now) == over.sorted { $0.rawValue < $1.rawValue })
                for batch in over { expected[batch] = .some(nil) }
            }
            #expect(leases.lapsesAt == expected.values.compactMap(\.self).min())
            #expect(leases.count == expected.count && leases.knows(batch) == (expected[batch] != nil))
            #expect(leases.isLapsed(batch) == (expected[batch].map { $0 == nil } ?? false))
        }
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
