import Testing

@testable import ControlServer

@Suite("The pace of a body")
struct BodyPaceTests {
    @Test("the deadline is put off by pieces, not by bytes")
    func pieces() {
        var pace = BodyPace()
        let sizes = [1, 2, 100, BodyPace.piece, BodyPace.piece + 1, BodyPace.piece + 2, 2 * BodyPace.piece]
        let answers = sizes.map { pace.has($0) }
        #expect(answers == [true, false, false, false, true, false, false])
        #expect(pace.has(4 * BodyPace.piece) && !pace.has(4 * BodyPace.piece + 1))
    }

    @Test("whoever sends a byte at a time gets the largest body in after so many deadlines at the most")
    func longest() {
        var pace = BodyPace()
        let deadlines = stride(from: 1, through: 64 << 20, by: 64).count { pace.has($0) }
        #expect(deadlines <= 256)
    }
}
