import Foundation
import JobModel
import PaintedPictures
import Testing
import Vocabulary

@testable import Children

@Suite("A detector pool with little to do", .timeLimit(.minutes(1))) struct DetectorPoolIdleTests {
    @Test("A detector ends by itself when there is nothing to look at, and the next picture starts another")
    func endsAndStartsAnew() async throws {
        // The shell outlives the real detector, to keep how that ended.
        let detector = try ScriptedDetector(
            "'\(ScriptedDetector.realDetector())' --serve --documents $here; echo $? >> $here/ends"
        )
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        let log = PoolLog()
        let running = RunningPool(detector, idleTime: .milliseconds(1), logger: log.logger)
        #expect(running.pool.status == DetectorPoolStatus())
        var lines = log.lines.makeAsyncIterator()
        for number in 1...3 {
            running.submit(Int64(number), picture)
            #expect(await running.results(1)[Int64(number)]?.faces.count == 2)
            // Told when it has ended; anything louder would come first, and be the wrong line.
            var line = try #require(await lines.next())
            while line.level < .debug { line = try #require(await lines.next()) }
            #expect(line.level == .debug)
            #expect(line.text == "a face detector has ended because it had nothing to do")
            var status = DetectorPoolStatus()
            status.started = number
            #expect(running.pool.status == status)
            #expect(detector.starts == number)
        }
        let ends = try String(contentsOfFile: detector.folder + "/ends", encoding: .utf8)
        #expect(ends == "0\n0\n0\n")
        await running.stop()
    }

    @Test("A detector that stays when its input closes doesn't keep the next picture waiting for ever")
    func stays() async throws {
        let detector = try ScriptedDetector(
            "[ $start -gt 1 ] && be_honest; greet; cat > /dev/null; echo > $here/closed; exec sleep 1000"
        )
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        let running = RunningPool(detector, idleTime: .milliseconds(1))
        // Only to start a process, which has then nothing to do.
        running.submit(1, picture)
        running.pool.withdraw(JobID(rawValue: 1))
        try #require(await detector.makes("closed"), "its input was never closed")
        running.submit(2, picture)
        #expect(await running.results(1)[2]?.faces.count == 2)
        #expect(detector.starts == 2)
        await running.stop()
    }
}
