import Testing

@testable import CurlTransfer

/// Further connections to a host: beside those that there are, or in their place.
struct ConnectionWatchTests {
    /// The number of answers that show that more connections were needed; each is the port of its connection, and the
    /// times of its request and of itself.
    private func needs(_ answers: [(port: Int, sent: Int64, came: Int64)]) -> Int {
        var watch = ConnectionWatch()
        return answers.count { watch.noteAnswer(over: $0.port, requestedAt: $0.sent, now: $0.came) }
    }

    @Test("One connection is never too little")
    func one() {
        #expect(needs((0..<100).map { (1, $0, $0 + 60) }) == 0)
    }

    @Test(
        "A connection that comes in the place of another one says nothing, whatever is still answered over the old one"
    )
    func farewell() {
        var answers: [(Int, Int64, Int64)] = (0..<50).map { (1, $0, $0 + 60) }
        // Sent before the new connection answered.
        answers += [(2, 100, 200), (1, 130, 201), (1, 200, 202)]
        answers += (0..<50).map { (2, 300 + $0, 360 + $0) }
        // The next one that is sent away.
        answers += [(3, 400, 500)] + (0..<50).map { (3, 501 + $0, 560 + $0) }
        #expect(needs(answers) == 0)
    }

    @Test("A connection beside another one was needed, once")
    func beside() {
        let answers: [(Int, Int64, Int64)] = [
            (1, 0, 60), (2, 61, 180), (1, 181, 240), (2, 181, 241), (1, 241, 300),
        ]
        #expect(needs(answers) == 1)
    }

    @Test("Some that are opened at once are one sight")
    func several() {
        let answers: [(Int, Int64, Int64)] = [
            (1, 0, 60), (2, 61, 180), (3, 61, 181), (4, 61, 182), (2, 183, 240), (3, 183, 241), (1, 183, 242),
            (2, 243, 300), (4, 243, 301),
        ]
        #expect(needs(answers) == 1)
    }

    @Test("Numbers that come again, and very many of them, are no matter")
    func many() {
        #expect(needs((0..<1000).map { (Int($0), $0 * 100, $0 * 100 + 60) }) == 0)
    }
}
