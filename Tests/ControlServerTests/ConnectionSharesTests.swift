import Testing

@testable import ControlServer

@Suite("Shares of the connections")
struct ConnectionSharesTests {
    private let own: UInt32 = 90

    @Test("a user holds a quarter at the most, and hears why there are no more before that")
    func quarter() {
        var shares = ConnectionShares(total: 64, ownUser: own)
        let met = (0..<20).map { _ in shares.enter(1000) }
        #expect(met.prefix(14).allSatisfy { $0 == .served })
        #expect(met[14...15].allSatisfy { $0 == .crowded } && met[16...].allSatisfy { $0 == .refused })
        #expect(shares.enter(1001) == .served)
        shares.leave(1000)
        #expect(shares.enter(1000) == .crowded)
        #expect(shares.enter(1000) == .refused)
        for _ in 0..<3 { shares.leave(1000) }
        #expect(shares.enter(1000) == .served)
    }

    @Test("however many users there are, root and the daemon's own user have room")
    func crowd() {
        var shares = ConnectionShares(total: 64, ownUser: own)
        let users = (1000..<1100).map { shares.enter($0) }
        #expect(users.count { $0 == .served } == 48 && users.count { $0 == .refused } == 52)
        #expect(shares.enter(nil) == .refused)
        let theirs = (0..<100).flatMap { _ in [shares.enter(0), shares.enter(own)] }
        #expect(theirs.allSatisfy { $0 == .served })
        shares.leave(0)
        #expect(shares.enter(1000) == .refused)
        shares.leave(1000)
        #expect(shares.enter(1000) == .served)
    }
}
