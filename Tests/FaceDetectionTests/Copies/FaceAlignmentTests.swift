import Foundation
import Testing
import Vocabulary

@testable import FaceDetection

struct FaceAlignmentTests {
    private typealias Point = FaceAlignment.Point

    /// The template turned, scaled and shifted: a face somewhere in a picture.
    private func somewhere(angle: Double, scale: Double, x: Double, y: Double) -> [Point] {
        FaceAlignment.template.map { point in
            Point(
                x: scale * (cos(angle) * point.x - sin(angle) * point.y) + x,
                y: scale * (sin(angle) * point.x + cos(angle) * point.y) + y
            )
        }
    }

    @Test(
        "However a face is turned, scaled and shifted, its landmarks come to lie where the template has them",
        arguments: [(0, 1, 0, 0), (0.5, 3, 400, 20), (-2, 0.3, -7, 900), (Double.pi, 12, 1e4, 1e4)]
    )
    func exact(angle: Double, scale: Double, x: Double, y: Double) throws {
        let places = somewhere(angle: angle, scale: scale, x: x, y: y)
        let alignment = try #require(FaceAlignment(places))
        for (place, target) in zip(places.map(alignment.place), FaceAlignment.template) {
            #expect(abs(place.x - target.x) < 1e-6 && abs(place.y - target.y) < 1e-6)
        }
    }

    @Test("Landmarks that aren't known, or all in one place, can't be aligned")
    func impossible() {
        #expect(FaceAlignment([]) == nil)
        #expect(FaceAlignment(Array(repeating: Point(x: 5, y: 5), count: 5)) == nil)
        #expect(FaceAlignment(Array(repeating: Point(x: .nan, y: 5), count: 5)) == nil)
        let face = Face(x: 0, y: 0, width: 64, height: 64, confidence: 1)
        #expect(FaceCrop.align(face, from: .blank) == nil)
    }

    @Test("Pixels follow: a dot on each landmark of a turned face is where the template has it")
    func pixels() throws {
        let (width, height) = (700, 700)
        let places = somewhere(angle: 0.6, scale: 4, x: 250, y: 60)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for place in places {
            for y in Int(place.y) - 6...Int(place.y) + 6 {
                for x in Int(place.x) - 6...Int(place.x) + 6 { pixels[(y * width + x) * 3] = 255 }
            }
        }
        let picture = Picture(pixels: pixels, width: width, height: height)
        let face = Face(
            x: 0,
            y: 0,
            width: width,
            height: height,
            confidence: 1,
            landmarks: places.map { Face.Point(x: Int($0.x), y: Int($0.y)) }
        )
        let aligned = try #require(FaceCrop.align(face, from: picture))
        #expect(aligned.width == 112 && aligned.height == 112)
        for target in FaceAlignment.template {
            // The middle of what is bright around the place.
            var (sum, x, y) = (0.0, 0.0, 0.0)
            for row in Int(target.y) - 6...Int(target.y) + 6 {
                for column in Int(target.x) - 6...Int(target.x) + 6 {
                    let light = Double(aligned.pixels[(row * 112 + column) * 3])
                    (sum, x, y) = (sum + light, x + light * Double(column), y + light * Double(row))
                }
            }
            #expect(sum > 0 && abs(x / sum - target.x) < 1 && abs(y / sum - target.y) < 1)
        }
    }
}
