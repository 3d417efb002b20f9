import DetectorProtocol
import Foundation
import JobModel
import Testing
import Vocabulary

@testable import Children

/// Detectors that a picture has taken over: what they say ends them, and nothing else.
@Suite("Lying detectors", .timeLimit(.minutes(2))) struct LyingDetectorTests {
    /// Fields of answers that no honest detector gives.
    static let lies = [
        // Numbers that trap where they are not looked at first.
        #""faces":[],"width":1e300,"height":10,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":[],"width":NaN,"height":10,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":[],"width":10,"height":10,"orientation":1,"format":"jpeg","seconds":Infinity"#,
        #""faces":[],"width":10,"height":10,"orientation":1,"format":"jpeg","seconds":"NaN""#,
        #""faces":[],"width":9223372036854775807,"height":9223372036854775807,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":[],"width":-1,"height":10,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":[],"width":0,"height":0,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":[],"width":10,"height":10,"orientation":9,"format":"png","seconds":0"#,
        #""faces":[],"width":10,"height":10,"orientation":1e9,"format":"png","seconds":0"#,
        #""faces":[],"width":10,"height":10,"orientation":1,"format":"svg","seconds":0"#,
        #""faces":[],"width":10,"height":10,"seconds":0"#,
        // Boxes outside.
        face(x: -1), face(y: -1), face(width: 0), face(height: -3), face(x: 10), face(width: 11),
        face(x: 5, width: 6),
        face(x: .max, width: .max), face(x: .min, width: .max), face(y: .max), face(height: .max),
        face(confidence: "1e300"), face(confidence: "-1e300"),
        face(confidence: "1e400"), face(confidence: "null"),
        face(landmarks: "[]"), face(landmarks: "[\(place),\(place),\(place),\(place)]"),
        face(landmarks: "[\(place),\(place),\(place),\(place),\(place),\(place)]"),
        face(landmarks: #"[\#(place),\#(place),\#(place),\#(place),{"x":11,"y":1}]"#),
        face(landmarks: #"[\#(place),\#(place),\#(place),\#(place),{"x":1,"y":-1}]"#),
        face(landmarks: #"[\#(place),\#(place),\#(place),\#(place),{"x":1e300,"y":1}]"#),
        looks("[0]"), looks("[11]"), looks("[10,10]"), looks("[2,1]"), looks("[1,2,3,4,5,6,7,8,9]"),
        looks("[1e300]"), looks("{}"),
        #""faces":[{}],"width":10,"height":10,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":{},"width":10,"height":10,"orientation":1,"format":"jpeg","seconds":0"#,
        #""faces":["# + String(repeating: "[", count: 100_000),
        "",
    ]

    private static let place = #"{"x":1,"y":1}"#

    private static func looks(_ looks: String) -> String {
        #""faces":[],"width":10,"height":10,"orientation":1,"format":"jpeg","looks":\#(looks),"seconds":0"#
    }

    private static func face(
        x: Int = 1,
        y: Int = 1,
        width: Int = 2,
        height: Int = 2,
        confidence: String = "1",
        landmarks: String = "null"
    ) -> String {
        #""faces":[{"x":\#(x),"y":\#(y),"width":\#(width),"height":\#(height),"confidence":\#(confidence),"#
            + #""landmarks":\#(landmarks)}],"#
            + #""width":10,"height":10,"orientation":1,"format":"jpeg","seconds":0"#
    }

    /// Runs a detector that lies about its first picture only, and says what came of two.
    private func results(of script: String) async throws -> [Int64: DetectionResult] {
        let detector = try ScriptedDetector(
            """
            greet
            if [ $start = 1 ]; then
                \(script)
                exec sleep 1000
            fi
            while read_request; do answer; done
            """
        )
        let running = RunningPool(detector)
        running.submit(1, "/picture.jpg")
        let first = await running.results(1)
        running.submit(2, "/picture.jpg")
        let second = await running.results(1)
        #expect(detector.starts == 2)
        await running.stop()
        return first.merging(second) { first, _ in first }
    }

    @Test("An answer that can't be is not believed, ends its detector, and costs the next picture nothing")
    func lies() async throws {
        for lie in Self.lies {
            let results = try await results(of: "read_request; answer '\(lie)'")
            #expect(results[1]?.outcome == .crashed, "\(lie.prefix(200))")
            #expect(results[1]?.faces == [])
            #expect(results[2]?.outcome == .counted)
        }
    }

    @Test("An answer by another engine, by other parameters, or of another outcome is not believed")
    func others() async throws {
        for change in ["engine=yunet", "parameters=others", "outcome=crashed", "outcome=timed_out"] {
            let results = try await results(of: "read_request; \(change); answer")
            #expect(results[1]?.outcome == .crashed, "\(change)")
            #expect(results[2]?.outcome == .counted)
        }
    }

    @Test("An honest answer of the same kind is believed, whatever it says of its time")
    func honest() async throws {
        let detector = try ScriptedDetector(
            "greet; while read_request; do answer \"$(cat $here/fields)\"; done"
        )
        let fields = Self.face().replacing(#""seconds":0"#, with: #""seconds":1e300"#)
        try detector.write("fields", Array(fields.utf8))
        let running = RunningPool(detector)
        let begun = ContinuousClock.now
        for job in Int64(1)...3 {
            running.submit(job, "/picture.jpg")
            let result = await running.results(1)[job]
            #expect(result?.faces == [Face(x: 1, y: 1, width: 2, height: 2, confidence: 1)])
            let seconds = try #require(result?.seconds)
            #expect(seconds >= 0 && seconds <= (ContinuousClock.now - begun) / .seconds(1))
        }
        #expect(detector.starts == 1)
        await running.stop()
    }

    @Test(
        "Floods, half frames, and frames of any length end their detector",
        arguments: [
            "exec cat /dev/zero", "exec yes", "yes '{}'",
            // Ten million faces, announced and sent.
            "printf '\\30\\0\\0\\0'; yes '{\"x\":1},' | head -c 402653184",
            "printf '\\177\\377\\377\\377'; yes | head -c 10000000",
            "printf '\\0\\0\\0\\0'", "printf '\\0\\20\\0\\1'",
            "printf '\\0\\0\\0\\100{\"id\":1'; exec >&-",
            "frame '[]'", "frame 'null'", "id=1; answer '\"faces\":['",
            "yes complaint >&2",
        ]
    )
    func floods(_ flood: String) async throws {
        let results = try await results(of: "await_request; \(flood)")
        #expect(results[1]?.outcome == .crashed)
        #expect(results[2]?.outcome == .counted)
    }

    @Test("More faces than are allowed are not believed, though they fit into a frame")
    func tooManyFaces() async throws {
        let face = #"{"x":1,"y":1,"width":2,"height":2,"confidence":1}"#
        for (count, outcome) in [(4096, DetectionOutcome.counted), (4097, .crashed)] {
            let detector = try ScriptedDetector(
                "greet; read_request; answer \"$(cat $here/fields)\"; exec sleep 1000"
            )
            let faces = Array(repeating: face, count: count).joined(separator: ",")
            let fields =
                #""faces":[\#(faces)],"width":10,"height":10,"orientation":1,"format":"png","seconds":0"#
            try detector.write("fields", Array(fields.utf8))
            let running = RunningPool(detector)
            running.submit(1, "/picture.jpg")
            let result = await running.results(1)[1]
            #expect(result?.outcome == outcome)
            #expect(result?.faces.count == (outcome == .counted ? count : 0))
            await running.stop()
        }
    }

    @Test("What a detector answers before it is asked, twice, or by guessing, is not believed")
    func unasked() async throws {
        // Greets, and answers for the jobs that are to come.
        for script in ["for id in 1 2 3; do answer; done", "id=1; answer; read_request; answer"] {
            let results = try await results(of: script)
            #expect(results[2]?.outcome == .counted)
            #expect(results[1]?.outcome != .unreadable)
        }
        // The picture that is being looked at when the second answer comes is looked at by another.
        let twice = try ScriptedDetector(
            "greet; while read_request; do answer; [ $start = 1 ] && answer; done"
        )
        let running = RunningPool(twice)
        running.submit(1, "/picture.jpg")
        #expect(await running.results(1)[1]?.outcome == .counted)
        running.submit(2, "/picture.jpg")
        let second = await running.results(1)[2]
        if second?.outcome == .crashed { running.submit(2, "/picture.jpg") }
        let last = second?.outcome == .crashed ? await running.results(1)[2] : second
        #expect(last?.outcome == .counted)
        #expect(twice.starts == 2)
        await running.stop()
    }

    @Test("A greeting of 10 MB, a strange one, and two of them start another detector, and cost no picture")
    func greetings() async throws {
        let names = [
            #"{"version":3,"engines":[{"name":"magic","parameters":""}]}"#,
            #"{"version":3,"engines":[{"name":"haar","parameters":"a"},{"name":"haar","parameters":"b"}]}"#,
            #"{"version":3,"engines":[]}"#, #"{"version":1e300,"engines":[]}"#,
            #"{"version":3,"engines":[{"name":"haar","parameters":"\u001b[2J"}]}"#,
        ]
        let scripts =
            names.map { "frame '\($0)'" } + ["printf '\\0\\240\\0\\0'; head -c 10485760 /dev/zero", "answer"]
        for script in scripts {
            let detector = try ScriptedDetector(
                "[ $start = 1 ] && { \(script); exec sleep 1000; }; greet; while read_request; do answer; done"
            )
            let running = RunningPool(detector)
            running.submit(1, "/picture.jpg")
            #expect(await running.results(1)[1]?.outcome == .counted, "\(script)")
            #expect(detector.starts == 2)
            await running.stop()
        }
    }

    @Test("What detectors say on standard error is passed on a few lines at a time, and none is long")
    func complaints() async throws {
        let detector = try ScriptedDetector(
            """
            greet
            while read_request; do
                yes 'a complaint' | head -n 1000 >&2
                head -c 200000 /dev/zero | tr '\\0' x >&2
                answer
            done
            """
        )
        let log = PoolLog()
        let running = RunningPool(detector, recycleAfter: 1, logger: log.logger)
        for job in Int64(1)...4 { running.submit(job, "/picture.jpg") }
        #expect(await running.results(4).values.allSatisfy { $0.outcome == .counted })
        await running.stop()
        log.end()
        var lines: [String] = []
        for await line in log.lines { lines.append(line.text) }
        let said = lines.filter { $0.contains("a face detector says: ") }
        #expect(said.count >= SpeechAllowance.burst && said.count < 2 * SpeechAllowance.burst)
        #expect(lines.allSatisfy { $0.utf8.count < 600 })
    }
}
