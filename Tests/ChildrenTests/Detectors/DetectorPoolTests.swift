import DetectorProtocol
import Foundation
import JobModel
import PaintedPictures
import Testing
import Vocabulary

@testable import Children

@Suite(.timeLimit(.minutes(2))) struct DetectorPoolTests {
    /// A detector that is honest from the given start on, and a picture with two faces.
    private func detector(_ script: String) throws -> (ScriptedDetector, picture: String) {
        let detector = try ScriptedDetector(script)
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        return (detector, picture)
    }

    @Test("Real detectors count the faces of many pictures, several at once, and name their engine")
    func counts() async throws {
        let detector = try ScriptedDetector("be_honest")
        let running = RunningPool(detector, workers: 2)
        for job in 0..<8 {
            let picture = PaintedPicture(faces: job % 4, seed: UInt64(job))
            running.submit(Int64(job + 1), try detector.write("\(job).jpg", picture.jpeg()))
        }
        running.submit(9, try detector.write("page.jpg", Array("<html></html>".utf8)))
        let results = await running.results(9)
        for job in 0..<8 {
            let result = try #require(results[Int64(job + 1)])
            #expect(result.outcome == .counted)
            #expect(result.faces.count == job % 4)
            #expect(result.engine == "haar")
            #expect(result.parameters.contains("frontalface_alt"))
            #expect(result.seconds > 0)
        }
        #expect(results[9]?.outcome == .unreadable)
        #expect(running.pool.identity?.engine == "haar")
        await running.stop()
    }

    @Test("A picture that kills its detector is told to have crashed, and the next has a new process")
    func crash() async throws {
        let (detector, picture) = try detector(
            "[ $start -gt 1 ] && be_honest; greet; await_request; kill -SEGV $$"
        )
        let running = RunningPool(detector)
        running.submit(1, picture)
        running.submit(2, picture)
        let results = await running.results(2)
        #expect(results[1]?.outcome == .crashed)
        #expect(results[1]?.parameters == "scripted")
        #expect(results[2]?.outcome == .counted)
        #expect(detector.starts == 2)
        await running.stop()
        // And whose fault it was is told apart from what becomes of the picture.
        #expect(running.losses.all.map(\.end) == [.signalled(SIGSEGV)])
        #expect(running.losses.all.map(\.job) == [1])
    }

    @Test("A picture whose detector died by accident is counted when it is handed in again")
    func accident() async throws {
        let (detector, picture) = try detector("[ $start -gt 1 ] && be_honest; greet; await_request; exit 0")
        let running = RunningPool(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.outcome == .crashed)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.faces.count == 2)
        #expect(detector.starts == 2)
        await running.stop()
    }

    @Test("A detector that ends for want of descriptors or processes leaves the picture to the next")
    func lacking() async throws {
        let (detector, picture) = try detector(
            "[ $start -gt 3 ] && be_honest; greet; await_request; exit \(DetectorExit.outOfResources)"
        )
        let running = RunningPool(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.faces.count == 2)
        #expect(detector.starts == 4)
        await running.stop()
    }

    @Test("A detector that can't open the documents directory says that, and nothing about the document")
    func shutOut() async throws {
        let real = try ScriptedDetector.realDetector()
        let detector = try ScriptedDetector("exec '\(real)' --serve --documents \"$here/documents\"")
        let picture = detector.folder + "/documents/two.jpg"
        let running = RunningPool(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.isOfLostDirectory == true)
        // That one was let into none, whatever is there later, so another looks at the next.
        try FileManager.default.createDirectory(
            atPath: detector.folder + "/documents",
            withIntermediateDirectories: false
        )
        try detector.write("documents/two.jpg", PaintedPicture(faces: 2).jpeg())
        running.submit(2, picture)
        #expect(await running.results(1)[2]?.faces.count == 2)
        #expect(detector.starts == 2)
        running.submit(3, detector.folder + "/documents/none.jpg")
        #expect(await running.results(1)[3]?.reason == DetectionResult.unopened)
        await running.stop()
    }

    @Test("That no detector can open the documents directory is said once, and that one can again")
    func shutOutInLog() async throws {
        let detector = try ScriptedDetector(
            #"""
            greet
            read_request
            [ $start -gt 4 ] && answer && exec sleep 1000
            outcome=unreadable
            why="\#(DetectorResponse.noDirectory)"
            answer "\"faces\":[],\"width\":0,\"height\":0,\"seconds\":0,\"message\":\"$why\""
            exec sleep 1000
            """#
        )
        let log = PoolLog()
        let running = RunningPool(detector, logger: log.logger)
        for job in Int64(1)...5 { running.submit(job, "/picture.jpg") }
        let results = await running.results(5)
        #expect((1...4).allSatisfy { results[$0]?.isOfLostDirectory == true })
        #expect(results[5]?.outcome == .counted)
        await running.stop()
        log.end()
        var lines: [String] = []
        for await line in log.lines where line.level > .debug { lines.append(line.text) }
        #expect(lines.filter { $0.contains("can't open the documents directory") }.count == 1)
        #expect(lines.last == "face detectors can open the documents directory again")
    }

    @Test("A picture that takes too long ends as timed out, its detector is killed, and the next is served")
    func hung() async throws {
        // The second answers at once, however busy the machine is: it has no picture to look at.
        let (detector, picture) = try detector(
            "greet; [ $start -gt 1 ] && read_request && answer; exec sleep 1000"
        )
        let running = RunningPool(detector, timeout: .seconds(5))
        running.submit(1, picture)
        running.submit(2, picture)
        let results = await running.results(2)
        #expect(results[1]?.outcome == .timedOut)
        #expect(results[1]?.seconds == 5)
        #expect(results[2]?.outcome == .counted)
        #expect(detector.starts == 2)
        await running.stop()
    }

    @Test(
        "A detector that floods or talks nonsense over a picture is killed, and the picture ends as crashed",
        arguments: [
            "exec yes", "exec cat /dev/zero", "printf '\\0\\0\\0\\2{}'; exec sleep 1000",
            "printf '\\0\\0\\0\\1'; exit 0", "greet; exec sleep 1000", "exec >&-; exec sleep 1000",
            "yes complaint | head -c 1000000 >&2; exit 1",
        ]
    )
    func misbehaviour(_ answer: String) async throws {
        let (detector, picture) = try detector(
            "[ $start -gt 1 ] && be_honest; greet; await_request; \(answer)"
        )
        let running = RunningPool(detector)
        running.submit(1, picture)
        running.submit(2, picture)
        let results = await running.results(2)
        #expect(results[1]?.outcome == .crashed)
        #expect(results[2]?.faces.count == 2)
        #expect(detector.starts == 2)
        await running.stop()
        #expect(running.losses.all.map(\.job) == [1])
    }

    @Test(
        "Detectors that can't start cost no picture anything",
        arguments: ["exit 1", "exec yes", "printf '\\0\\0\\0\\2{}'; exec sleep 1000"]
    )
    func startFailures(_ script: String) async throws {
        let (detector, picture) = try detector("[ $start -gt 3 ] && be_honest; \(script)")
        let running = RunningPool(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.faces.count == 2)
        #expect(detector.starts == 4)
        await running.stop()
    }

    @Test("Processes are replaced after so many pictures, and no picture notices")
    func recycled() async throws {
        let (detector, picture) = try detector("be_honest")
        let running = RunningPool(detector, recycleAfter: 2)
        for job in 1...5 { running.submit(Int64(job), picture) }
        let results = await running.results(5)
        #expect(results.values.allSatisfy { $0.faces.count == 2 })
        #expect(detector.starts == 3)
        await running.stop()
    }

    @Test("A withdrawn picture is never reported, and its detector makes room for the next")
    func withdrawn() async throws {
        let (detector, picture) = try detector(
            "[ $start -gt 1 ] && be_honest; greet; await_request; echo > $here/asked; exec sleep 1000"
        )
        let running = RunningPool(detector)
        running.submit(1, picture)
        running.submit(2, picture)
        try #require(await detector.makes("asked"))
        running.pool.withdraw(JobID(rawValue: 1))
        let results = await running.results(1)
        #expect(results[2]?.faces.count == 2)
        #expect(results[1] == nil)
        await running.stop()
    }

    @Test("Stopping waits for no picture, and leaves no process")
    func stopped() async throws {
        let (detector, picture) = try detector("greet; await_request; echo > $here/asked; exec sleep 1000")
        let running = RunningPool(detector)
        running.submit(1, picture)
        try #require(await detector.makes("asked"))
        let pid = try #require(detector.pid)
        await running.stop()
        #expect(kill(pid, 0) == -1)
        #expect(errno == ESRCH)
    }
}
