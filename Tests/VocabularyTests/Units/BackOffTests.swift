import Testing
import Vocabulary

@Suite("Back-off")
struct BackOffTests {
    @Test(
        "Waits double from the shortest to the longest, however often something fails",
        arguments: [
            (1.0...3600.0, [0, 1, 2, 11, 12, 33, 64, .max], [1.0, 2, 4, 2048, 3600, 3600, 3600, 3600]),
            (60...21_600, [-1, 0, 1, 8, 9, 20], [60, 60, 120, 15_360, 21_600, 21_600]),
            (5...60, [0, 1, 2, 3, 4, 10], [5, 10, 20, 40, 60, 60]),
            (0.25...5, [0, 1, 2, 3, 4, 5, 6], [0.25, 0.5, 1, 2, 4, 5, 5]),
            (1...0x1p30, [0, 29, 30, 31], [1, 0x1p29, 0x1p30, 0x1p30]),
        ]
    )
    func seconds(_ waits: ClosedRange<Double>, _ times: [Int], _ expected: [Double]) {
        #expect(times.map { waits.doubled(times: $0) } == expected)
        let same: ClosedRange<Duration> = .seconds(waits.lowerBound)...(.seconds(waits.upperBound))
        #expect(times.map { same.doubled(times: $0) } == expected.map { .seconds($0) })
    }
}
