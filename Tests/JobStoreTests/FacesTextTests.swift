import JobModel
import Testing
import Vocabulary

@testable import JobStore

/// Faces as the store keeps them.
struct FacesTextTests {
    private static let face = Face(x: -3, y: 0, width: 1_234_567, height: 4, confidence: 0.8125)

    @Test("What is written is read again, with landmarks and without")
    func roundTrip() throws {
        var seen = Self.face
        seen.landmarks = (0..<5).map { .init(x: -$0, y: 1000 * $0) }
        seen.confidence = 108.123456789012
        for faces in [[], [Self.face], [seen], [Self.face, seen, Self.face]] {
            #expect(FacesText.decode(FacesText.encode(faces)) == faces)
        }
    }

    @Test(
        "What can't be a face is left out, and the others stay",
        arguments: [
            "", ";", ";;", "1,2,3,4", "1,2,3,4,nan", "1,2,3,4,inf", "1.5,2,3,4,0.5", "1e300,2,3,4,0.5",
            "-,--,é,,", "99999999999999999999,1,1,1,0.5",
        ]
    )
    func damaged(text: String) {
        #expect(FacesText.decode(text).isEmpty)
        let whole = FacesText.encode([Self.face])
        #expect(FacesText.decode(text + ";" + whole + ";" + text) == [Self.face])
    }

    @Test("Landmarks that aren't five cost only themselves")
    func landmarks() {
        for more in [",1", ",1,2,3,4,5,6,7,8,9", ",1,2,3,4,5,6,7,8,9,10,11", ",1,2,3,4,5,6,7,8,9,x"] {
            #expect(FacesText.decode(FacesText.encode([Self.face]) + more) == [Self.face])
        }
    }
}
