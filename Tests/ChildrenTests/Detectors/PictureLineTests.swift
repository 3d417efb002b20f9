import JobModel
import Testing
import Vocabulary

@testable import Children

/// Tests of which picture is made next.
struct PictureLineTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    private func line(_ thumbs: ClosedRange<Int64>, most: Int = 500) -> PictureLine<Int64> {
        var line = PictureLine<Int64>(most: most)
        for number in thumbs { _ = line.add(number, id: number, job: job(number), .thumb) }
        return line
    }

    private func drain(_ line: inout PictureLine<Int64>, _ interests: [JobID: Interest]) -> [Int64] {
        var order: [Int64] = []
        while let next = line.next(interests) { order.append(next) }
        return order
    }

    @Test("Fingerprints come last, in their order, and only so many wait")
    func fingerprints() {
        var line = line(1...2, most: 2)
        for number in Int64(21)...22 { #expect(line.add(number, id: number, job: job(number), nil) == nil) }
        #expect(line.add(23, id: 23, job: job(23), nil) == 21)
        _ = line.add(11, id: 11, job: job(1), .medium)
        #expect(line.remove(22) == 22 && line.remove(22) == nil)
        #expect(drain(&line, [job(23): .visible]) == [11, 1, 2, 23])
        #expect(line.isEmpty)
        _ = line.add(24, id: 24, job: job(24), nil)
        #expect(!line.isEmpty && line.removeAll() == [24])
    }

    @Test("Opened pictures come first, then thumbnails in view, near the view, and in the order of requests")
    func order() {
        var line = line(1...5)
        _ = line.add(11, id: 11, job: job(1), .medium)
        _ = line.add(12, id: 12, job: job(2), .large)
        let interests = [job(2): Interest.near, job(4): .visible, job(5): .visible]
        #expect(drain(&line, interests) == [11, 12, 4, 5, 2, 1, 3])
        #expect(line.isEmpty)
    }

    @Test("What people look at is asked each time, since they look elsewhere meanwhile")
    func moving() {
        var line = line(1...4)
        #expect(line.next([job(4): .visible]) == 4)
        #expect(line.next([job(3): .visible]) == 3)
        #expect(drain(&line, [:]) == [1, 2])
    }

    @Test("A request too many takes the place of the oldest of its kind")
    func bounded() {
        var line = line(1...3, most: 3)
        #expect(line.add(4, id: 4, job: job(4), .thumb) == 1)
        #expect(line.add(5, id: 5, job: job(5), .medium) == nil)
        #expect(drain(&line, [:]) == [5, 2, 3, 4])
    }

    @Test("A request that is given up is gone, and those left at the end are all told")
    func removal() {
        var line = line(1...3)
        _ = line.add(9, id: 9, job: job(9), .large)
        #expect(line.remove(2) == 2 && line.remove(9) == 9 && line.remove(9) == nil)
        #expect(line.removeAll() == [1, 3])
        #expect(line.isEmpty)
    }
}
