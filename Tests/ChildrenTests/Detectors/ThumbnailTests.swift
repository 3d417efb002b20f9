import Foundation
import JobModel
import PaintedPictures
import Testing

@testable import Children

/// Thumbnails that come with detectors' answers.
@Suite("Thumbnails in passing", .timeLimit(.minutes(2))) struct ThumbnailTests {
    private func running(
        _ detector: ScriptedDetector,
        wants: Bool = true,
        timeout: Duration = .seconds(60)
    ) -> RunningPool {
        var configuration = DetectorPoolConfiguration(
            executable: detector.executable,
            arguments: [],
            workers: 1,
            timeout: timeout
        )
        configuration.wantsThumbnail = { _ in wants }
        return RunningPool(configuration)
    }

    /// Width and height as a JPEG's frame header says them (ITU-T T.81, B.2.2), and its markers.
    private func frame(_ jpeg: [UInt8]) -> (width: Int, height: Int, markers: Set<UInt8>) {
        var (width, height, markers, place) = (0, 0, Set<UInt8>(), 2)
        while place + 9 < jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
            markers.insert(jpeg[place + 1])
            if (0xC0...0xC2).contains(jpeg[place + 1]) {
                height = Int(jpeg[place + 5]) << 8 | Int(jpeg[place + 6])
                width = Int(jpeg[place + 7]) << 8 | Int(jpeg[place + 8])
            }
            place += 2 + (Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3]))
        }
        return (width, height, markers)
    }

    @Test("The pass that finds faces makes one, upright and plain, and finds what it finds without")
    func honest() async throws {
        let detector = try ScriptedDetector("be_honest")
        let turned = try detector.write(
            "turned.jpg",
            PaintedPicture(faces: 4).jpeg(orientation: .needsClockwise)
        )
        let small = try detector.write("small.png", PaintedPicture(width: 300, height: 200).png())
        let profiled = try detector.write("profiled.jpg", PaintedPicture(faces: 1).jpeg(colour: .profiled))
        let wide = try detector.write("wide.jpg", PaintedPicture(faces: 2).wideJPEG())
        let page = try detector.write("page.jpg", Array("<svg/>".utf8))
        let without = running(detector, wants: false)
        let running = running(detector)
        for pool in [running, without] {
            pool.submit(1, turned)
            pool.submit(2, small)
            pool.submit(3, page)
            pool.submit(4, profiled)
            pool.submit(5, wide)
        }
        let results = await running.results(5)
        let others = await without.results(5)
        for job in 1...5 as ClosedRange<Int64> {
            #expect(results[job]?.outcome == others[job]?.outcome)
            #expect(results[job]?.faces == others[job]?.faces)
        }
        #expect(results[3]?.outcome == .unreadable)
        #expect(without.thumbnails.all.isEmpty)
        let thumbnails = running.thumbnails.all
        #expect(Set(thumbnails.keys) == [1, 2, 4, 5])
        let first = frame(try #require(thumbnails[1]))
        #expect((first.width, first.height) == (400, 141))
        let second = frame(try #require(thumbnails[2]))
        #expect((second.width, second.height) == (300, 200))
        for jpeg in thumbnails.values {
            #expect(jpeg.count <= PictureSize.thumb.limit)
            #expect(frame(jpeg).markers.isSubset(of: [0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD]))
        }
        await running.stop()
        await without.stop()
    }

    @Test("Where a picture is looked at in fewer pixels than a thumbnail has, none is made")
    func tooSmallALook() async throws {
        let detector = try ScriptedDetector("be_honest --working-size 200 --small-faces off")
        let picture = try detector.write("a.jpg", PaintedPicture(width: 1800, height: 900).jpeg())
        let running = running(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.outcome == .counted)
        #expect(running.thumbnails.all.isEmpty)
        await running.stop()
    }

    @Test(
        "What is too long, too short or no JPEG ends its detector, and nothing of it is kept",
        arguments: [
            #"answer "$empty,\"thumbnailLength\":131073"; head -c 131073 /dev/zero"#,
            #"answer "$empty,\"thumbnailLength\":0""#, #"answer "$empty,\"thumbnailLength\":-1""#,
            #"answer "$empty,\"thumbnailLength\":9223372036854775807""#,
            #"answer "$empty,\"thumbnailLength\":6"; printf 'abcdef'"#,
            #"outcome=unreadable; answer "\"faces\":[],\"width\":0,\"height\":0,\"seconds\":0,"#
                + #"\"thumbnailLength\":6"; printf '\377\330\377\340\377\331'"#,
        ]
    )
    func lies(script: String) async throws {
        let detector = try ScriptedDetector(
            """
            greet
            if [ $start = 1 ]; then
                read_request
                \(script)
                exec sleep 1000
            fi
            while read_request; do answer; done
            """
        )
        let running = running(detector)
        running.submit(1, "/picture.jpg")
        #expect(await running.results(1)[1]?.outcome == .crashed)
        running.submit(2, "/picture.jpg")
        #expect(await running.results(1)[2]?.outcome == .counted)
        #expect(running.thumbnails.all.isEmpty && detector.starts == 2)
        await running.stop()
    }

    @Test("One that nobody asked for ends its detector, too")
    func unasked() async throws {
        let detector = try ScriptedDetector(
            #"greet; read_request; answer "$empty,\"thumbnailLength\":6"; printf '\377\330\377\340\377\331'; sleep 99"#
        )
        let running = running(detector, wants: false)
        running.submit(1, "/picture.jpg")
        #expect(await running.results(1)[1]?.outcome == .crashed)
        #expect(running.thumbnails.all.isEmpty)
        await running.stop()
    }

    @Test("One that never comes costs its picture's time, and no more")
    func missing() async throws {
        let detector = try ScriptedDetector(
            #"greet; read_request; answer "$empty,\"thumbnailLength\":6"; printf '\377\330'; exec sleep 99"#
        )
        let running = running(detector, timeout: .milliseconds(300))
        running.submit(1, "/picture.jpg")
        #expect(await running.results(1)[1]?.outcome == .timedOut)
        #expect(running.thumbnails.all.isEmpty)
        await running.stop()
    }
}
