import Testing

@testable import CurlTransfer

@Suite("The trust in a host's connections")
struct ConnectionTrustTests {
    private typealias Trust = ConnectionTrust<Int>

    @Test("comes where nothing follows an answer for a moment")
    func comes() {
        var trust = Trust()
        #expect(trust.use(now: 0) { _ in true } == .any, "there is none to be used again")
        trust.answered(1, now: 1000)
        #expect(trust.use(now: 1000) { _ in false } == .new)
        #expect(trust.use(now: 1000 + Trust.moment - 1) { _ in false } == .new)
        #expect(trust.use(now: 1000 + Trust.moment) { _ in false } == .any)
        #expect(trust.use(now: 5000) { _ in true } == .any, "each is looked at when it is used")
    }

    @Test("is lost for an hour where something follows on one of them")
    func lost() {
        var trust = Trust()
        let second = 2
        trust.answered(1, now: 1000)
        trust.answered(second, now: 1050)
        #expect(trust.use(now: 1060) { $0 == second } == .once)
        trust.answered(3, now: 1100)
        #expect(trust.use(now: 1060 + Trust.memory - 1) { _ in false } == .once)
        #expect(trust.use(now: 1060 + Trust.memory) { _ in false } == .new)
        #expect(trust.use(now: 1061 + Trust.memory) { _ in false } == .new, "it is watched again")
    }

    @Test("doesn't come where no connection can be watched")
    func unseen() {
        var trust = Trust()
        trust.answered(nil, now: 0)
        #expect(trust.use(now: 5000) { _ in false } == .new)
        trust.answered(1, now: 5000)
        #expect(trust.use(now: 5000 + Trust.moment) { _ in false } == .any)
    }

    @Test("is lost by a stray answer later on")
    func late() {
        var trust = Trust()
        trust.answered(1, now: 0)
        #expect(trust.use(now: 1000) { _ in false } == .any)
        trust.misled(now: 2000)
        #expect(trust.use(now: 2001) { _ in false } == .once)
    }
}
