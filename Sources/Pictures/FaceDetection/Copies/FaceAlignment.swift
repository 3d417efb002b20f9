/// The way from a face in a picture to the 112 by 112 pixels in which networks such as ArcFace expect it: a
/// rotation, a scale and a shift.
public struct FaceAlignment: Hashable, Sendable {
    /// The width and height of an aligned face.
    public static let side = 112
    /// The places of the five landmarks in it: InsightFace's `arcface_dst`
    /// (python-package/insightface/utils/face_align.py), in the order of ``Face/landmarks``.
    public static let template: [Point] = [
        Point(x: 38.2946, y: 51.6963), Point(x: 73.5318, y: 51.5014), Point(x: 56.0252, y: 71.7366),
        Point(x: 41.5493, y: 92.3655), Point(x: 70.7299, y: 92.2041),
    ]

    /// A place, in pixels from the left and the top edge.
    public struct Point: Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Double
        /// Pixels from the top edge.
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    // A place in the picture, as a complex number p, goes to a·p + b.
    private let a: Point
    private let b: Point

    /// Finds what brings five places as near to the template as possible, by the sum of squares; nil if
    /// there is no such way.
    ///
    /// Without mirroring this is S. Umeyama's solution (IEEE PAMI 13:4, 1991), which for two dimensions is
    /// a division of complex numbers.
    public init?(_ places: [Point]) {
        guard places.count == Self.template.count else { return nil }
        let (from, to) = (Self.middle(places), Self.middle(Self.template))
        var (real, imaginary, square) = (0.0, 0.0, 0.0)
        for (place, target) in zip(places, Self.template) {
            let (x, y) = (place.x - from.x, place.y - from.y)
            let (u, v) = (target.x - to.x, target.y - to.y)
            real += x * u + y * v
            imaginary += x * v - y * u
            square += x * x + y * y
        }
        let size = real * real + imaginary * imaginary
        guard square > 1e-6, size.isFinite, size > 1e-12 else { return nil }
        a = Point(x: real / square, y: imaginary / square)
        b = Point(x: to.x - (a.x * from.x - a.y * from.y), y: to.y - (a.x * from.y + a.y * from.x))
    }

    /// Returns where a place of the picture comes to lie.
    public func place(_ p: Point) -> Point {
        Point(x: a.x * p.x - a.y * p.y + b.x, y: a.x * p.y + a.y * p.x + b.y)
    }

    /// The number of pixels of the picture that make one of the aligned face, along a side.
    private var scale: Double { 1 / (a.x * a.x + a.y * a.y).squareRoot() }

    /// Returns the aligned face; what lies outside of the picture is black.
    ///
    /// Where the face is larger in the picture, each pixel is the mean of as many as it covers.
    func apply(to picture: Picture) -> Picture {
        let steps = max(1, min(16, Int(scale.rounded(.up))))
        let norm = a.x * a.x + a.y * a.y
        let pixels = [UInt8](unsafeUninitializedCapacity: Self.side * Self.side * 3) { out, count in
            picture.pixels.withUnsafeBufferPointer { pixels in
                let source = Source(pixels: pixels, width: picture.width, height: picture.height)
                for row in 0..<Self.side {
                    for column in 0..<Self.side {
                        var sum = (0.0, 0.0, 0.0)
                        for index in 0..<steps * steps {
                            // Places are of pixels' middles: a step aside from one that is hit exactly.
                            let u = Double(column) + (Double(index % steps) + 0.5) / Double(steps) - 0.5 - b.x
                            let v = Double(row) + (Double(index / steps) + 0.5) / Double(steps) - 0.5 - b.y
                            let (x, y) = ((u * a.x + v * a.y) / norm, (v * a.x - u * a.y) / norm)
                            let colour = source.colour(x: x, y: y)
                            sum = (sum.0 + colour.0, sum.1 + colour.1, sum.2 + colour.2)
                        }
                        let samples = Double(steps * steps)
                        let offset = (row * Self.side + column) * 3
                        out[offset] = UInt8(clamping: Int((sum.0 / samples).rounded()))
                        out[offset + 1] = UInt8(clamping: Int((sum.1 / samples).rounded()))
                        out[offset + 2] = UInt8(clamping: Int((sum.2 / samples).rounded()))
                    }
                }
            }
            count = Self.side * Self.side * 3
        }
        return Picture(
            pixels: pixels,
            width: Self.side,
            height: Self.side,
            fullWidth: Self.side,
            fullHeight: Self.side,
            orientation: 1,
            format: picture.format
        )
    }

    private static func middle(_ places: [Point]) -> Point {
        let count = Double(places.count)
        return Point(
            x: places.reduce(0) { $0 + $1.x } / count,
            y: places.reduce(0) { $0 + $1.y } / count
        )
    }
}

/// Pixels to take colours from, between their middles, too.
private struct Source {
    let pixels: UnsafeBufferPointer<UInt8>
    let width: Int
    let height: Int

    func colour(x: Double, y: Double) -> (Double, Double, Double) {
        guard x > -1, y > -1, x < Double(width), y < Double(height) else { return (0, 0, 0) }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (across, down) = (x - Double(left), y - Double(top))
        let (first, second) = (at(left, top), at(left + 1, top))
        let (third, fourth) = (at(left, top + 1), at(left + 1, top + 1))
        let (upper, lower) = (1 - down, down)
        func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            (a * (1 - across) + b * across) * upper + (c * (1 - across) + d * across) * lower
        }
        return (
            mix(first.0, second.0, third.0, fourth.0), mix(first.1, second.1, third.1, fourth.1),
            mix(first.2, second.2, third.2, fourth.2)
        )
    }

    private func at(_ x: Int, _ y: Int) -> (Double, Double, Double) {
        guard x >= 0, y >= 0, x < width, y < height else { return (0, 0, 0) }
        let offset = (y * width + x) * 3
        return (Double(pixels[offset]), Double(pixels[offset + 1]), Double(pixels[offset + 2]))
    }
}
