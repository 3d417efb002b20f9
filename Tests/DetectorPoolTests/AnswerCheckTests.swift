import DetectorProtocol
import JobCore
import Testing

@testable import DetectorPool

/// What is believed of an answer, without a process that gives it.
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
    }

    @Test("Nothing that can't be is believed, however large it is")
    func impossible() {
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
        #expect(fault(answer { $0.id = 8 }) == "an answer that nobody asked for")
        #expect(fault(answer { $0.engine = "yunet" }) == "an answer by another engine than the one requested")
        #expect(fault(answer { $0.parameters = "" }) == "an answer by another engine than the one requested")
        #expect(fault(answer { $0.outcome = .unreadable }) == "faces in a picture that it can't read")
        let face = answer().faces[0]
        let many = answer { $0.faces = Array(repeating: face, count: 4097) }
        #expect(fault(many) == "4097 faces; at most 4096 are allowed")
    }
}
