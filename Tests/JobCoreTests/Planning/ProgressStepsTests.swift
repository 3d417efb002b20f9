import JobCore
import Testing

struct ProgressStepsTests {
    @Test("A step is reached by exactly a tenth of the bytes, rounded up")
    func edges() {
        #expect(ProgressSteps.reached(bytes: 9, total: 100, logged: 0) == nil)
        #expect(ProgressSteps.reached(bytes: 10, total: 100, logged: 0) == 1...1)
        #expect(ProgressSteps.reached(bytes: 1, total: 7, logged: 0) == 1...1)
        #expect(ProgressSteps.reached(bytes: 6, total: 7, logged: 0) == 1...8)
        #expect(ProgressSteps.reached(bytes: 7, total: 7, logged: 8) == 9...10)
    }

    @Test("A small file that arrives at once has all ten steps, an empty one too")
    func atOnce() {
        #expect(ProgressSteps.reached(bytes: 3, total: 3, logged: 0) == 1...10)
        #expect(ProgressSteps.reached(bytes: 0, total: 0, logged: 0) == 1...10)
    }

    @Test("What was logged is not logged again")
    func logged() {
        #expect(ProgressSteps.reached(bytes: 50, total: 100, logged: 5) == nil)
        #expect(ProgressSteps.reached(bytes: 20, total: 100, logged: 5) == nil)
        #expect(ProgressSteps.reached(bytes: 60, total: 100, logged: 5) == 6...6)
    }

    @Test("The largest length there is overflows nothing")
    func huge() {
        #expect(ProgressSteps.reached(bytes: .max, total: .max, logged: 0) == 1...10)
        #expect(ProgressSteps.reached(bytes: .max / 2, total: .max, logged: 0) == 1...4)
    }

    @Test("A file of unknown length has a line after a MiB, then with each doubling, then every 64 MiB")
    func unknownLength() {
        let mebibyte: Int64 = 1 << 20
        var logged: Int64 = 0
        var lines: [Int64] = []
        for bytes in stride(from: Int64(0), through: 256 * mebibyte, by: 1 << 16)
        where ProgressSteps.deservesLine(bytes: bytes, logged: logged) {
            logged = bytes
            lines.append(bytes / mebibyte)
        }
        #expect(lines == [1, 2, 4, 8, 16, 32, 64, 128, 192, 256])
    }
}
