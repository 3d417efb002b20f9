import DetectorProtocol
import JobModel
import Testing
import Vocabulary

@testable import Children

/// Tests of what is believed of an answer, without a process that gives it.
struct AnswerCheckTests {
    private let look = Look(
        number: 7,
        request: DetectionRequest(job: JobID(rawValue: 3), path: "/d/a.jpg"),
        detector: DetectorIdentity(engine: "haar", parameters: "p"),
        began: .seconds(10)
    )

    private func answer(_ change: (inout DetectorResponse) -> Void = { _ in }) -> DetectorResponse {
        var answer = DetectorResponse(
            id: 7,
            outcome: .counted,
            faces: [.init(x: 0, y: 0, width: 100, height: 50, confidence: -3.5)],
            width: 100,
            height: 50,
            orientation: 6,
            format: "heif",
            engine: "haar",
            parameters: "p",
            seconds: .infinity
        )
        change(&answer)
        return answer
    }

    private func fault(_ answer: DetectorResponse) -> String? {
        do throws(Misbehaviour) {
            _ = try DetectionResult(checking: answer, to: look, now: .seconds(11))
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A face that fills the picture is believed, and the time is ours")
    func honest() throws {
        let result = try DetectionResult(checking: answer(), to: look, now: .milliseconds(11_234))
        #expect(result.outcome == .counted)
        #expect(result.faces == [Face(x: 0, y: 0, width: 100, height: 50, confidence: -3.5)])
        #expect(
            result.picture == SeenPicture(width: 100, height: 50, orientation: 6, format: "heif")
        )
        #expect(result.seconds == 1.234)
        #expect(result.engine == "haar" && result.parameters == "p")
        #expect(result.looks == [])
    }

    @Test("Landmarks up to the picture's edges are believed, and looks that grow up to its size")
    func landmarks() throws {
        let corners = [(0, 0), (100, 0), (50, 25), (0, 50), (100, 50)]
        let told = answer {
            $0.faces[0].landmarks = corners.map { .init(x: $0.0, y: $0.1) }
            $0.looks = [64, 100]
        }
        let result = try DetectionResult(checking: told, to: look, now: .seconds(11))
        #expect(result.faces[0].landmarks == corners.map { Face.Point(x: $0.0, y: $0.1) })
        #expect(result.looks == [64, 100])
    }

    @Test("Nothing that can't be is believed, however large it is")
    func impossible() throws {
        let extremes = [Int.min, -1, .max, .max - 1]
        for extreme in extremes {
            #expect(fault(answer { $0.faces[0].x = extreme }) == "a face outside the picture")
            #expect(fault(answer { $0.faces[0].y = extreme }) == "a face outside the picture")
            #expect(fault(answer { $0.faces[0].width = extreme }) == "a face outside the picture")
            #expect(fault(answer { $0.faces[0].height = extreme }) == "a face outside the picture")
            #expect(fault(answer { $0.width = extreme })?.hasPrefix("a picture of ") == true)
            #expect(fault(answer { $0.height = extreme })?.hasPrefix("a picture of ") == true)
        }
        for orientation in [nil, 0, 9, -1, .max, .min] as [Int?] {
            #expect(fault(answer { $0.orientation = orientation })?.contains("orientation") == true)
        }
        for format in [nil, "", "svg", "JPEG", "jpeg ", String(repeating: "jpeg", count: 1000)] {
            #expect(fault(answer { $0.format = format })?.contains("format") == true)
        }
        for confidence in [Double.nan, .infinity, -.infinity, 1e300, -1e10] {
            #expect(fault(answer { $0.faces[0].confidence = confidence }) == "a face outside the picture")
        }
        let place = Face.Point(x: 1, y: 1)
        for extreme in extremes + [101] {
            let astray = [Face.Point(x: extreme, y: 1), .init(x: 1, y: extreme)]
            for point in astray {
                let places = Array(repeating: place, count: 4) + [point]
                #expect(fault(answer { $0.faces[0].landmarks = places }) == "a face outside the picture")
            }
            #expect(fault(answer { $0.looks = [extreme] }) == "looks at sizes that no look has")
        }
        for count in [0, 1, 4, 6, 1000] {
            let places = Array(repeating: place, count: count)
            #expect(fault(answer { $0.faces[0].landmarks = places }) == "a face outside the picture")
        }
        for looks in [[0], [64, 64], [64, 32], Array(1...9)] {
            #expect(fault(answer { $0.looks = looks }) == "looks at sizes that no look has")
        }
        #expect(fault(answer { $0.id = 8 }) == "an answer that nobody asked for")
        #expect(fault(answer { $0.engine = "yunet" }) == "an answer by another engine than the one requested")
        #expect(fault(answer { $0.parameters = "" }) == "an answer by another engine than the one requested")
        let empty = answer {
            ($0.outcome, $0.faces, $0.looks, $0.message) = (.unreadable, [], nil, "is empty")
        }
        #expect(try DetectionResult(checking: empty, to: look, now: .zero).reason == "is empty")
        var unread = empty
        unread.turned = 90
        #expect(fault(unread) == "faces in a picture that it can't read")
        var damaged = empty
        damaged.damaged = true
        #expect(fault(damaged) == "faces in a picture that it can't read")
        let seen = try DetectionResult(checking: answer { $0.damaged = true }, to: look, now: .zero)
        #expect(seen.picture?.isDamaged == true)
        var likened = empty
        likened.fingerprint = "0123456789abcdef"
        #expect(fault(likened) == "faces in a picture that it can't read")
        let told = try DetectionResult(
            checking: answer { $0.fingerprint = "0123456789abcdef" },
            to: look,
            now: .zero
        )
        #expect(told.picture?.fingerprint?.bits == 0x0123_4567_89AB_CDEF)
        for text in ["", "0", "0000000000000000", "0123456789ABCDEF", String(repeating: "a", count: 100_000)]
        {
            #expect(fault(answer { $0.fingerprint = text }) == "a fingerprint that isn't one")
        }
        #expect(fault(answer { $0.outcome = .unreadable }) == "faces in a picture that it can't read")
        for angle in [0, 45, 360, -90, .max] {
            let turned = answer { $0.turned = angle }
            #expect(fault(turned) == "faces in a picture that is turned by no quarter turns")
        }
        let lying = answer { ($0.turned, $0.faces) = (90, []) }
        #expect(fault(lying) == "faces in a picture that is turned by no quarter turns")
        let turned = try DetectionResult(checking: answer { $0.turned = 270 }, to: look, now: .zero)
        #expect(turned.picture?.turned == 270)
        let face = answer().faces[0]
        let many = answer { $0.faces = Array(repeating: face, count: 4097) }
        #expect(fault(many) == "4097 faces; at most 4096 are allowed")
    }
}
