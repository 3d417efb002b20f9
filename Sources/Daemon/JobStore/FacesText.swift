import JobModel
import Vocabulary

/// Faces in one column: `x,y,width,height,confidence` for each, joined by semicolons.
///
/// If a face's landmarks are known, the x and y of each of them follow its confidence.
enum FacesText {
    /// An SQL expression for the number of faces in `detection_faces`.
    static let count = """
        CASE WHEN detection_faces = '' THEN 0 ELSE
        length(detection_faces) - length(replace(detection_faces, ';', '')) + 1 END
        """

    static func encode(_ faces: [Face]) -> String {
        faces.map { face in
            let places = face.landmarks?.map { ",\($0.x),\($0.y)" }.joined() ?? ""
            return "\(face.x),\(face.y),\(face.width),\(face.height),\(face.confidence)\(places)"
        }.joined(separator: ";")
    }

    /// Reads faces, leaving out what can't be one.
    ///
    /// Lists and exports read millions of these, so it goes through the bytes once.
    static func decode(_ text: String) -> [Face] {
        var text = text
        return text.withUTF8 { bytes in
            var faces: [Face] = []
            var numbers: [Double] = []
            var start = 0
            for index in 0...bytes.count {
                let byte = index < bytes.count ? bytes[index] : UInt8(ascii: ";")
                guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") else { continue }
                if let number = number(UnsafeBufferPointer(rebasing: bytes[start..<index])) {
                    numbers.append(number)
                }
                start = index + 1
                guard byte == UInt8(ascii: ";") else { continue }
                if let face = face(numbers) { faces.append(face) }
                numbers.removeAll(keepingCapacity: true)
            }
            return faces
        }
    }

    private static func face(_ numbers: [Double]) -> Face? {
        guard numbers.count >= 5, numbers[4].isFinite, let x = Int(exactly: numbers[0]),
            let y = Int(exactly: numbers[1]), let width = Int(exactly: numbers[2]),
            let height = Int(exactly: numbers[3])
        else { return nil }
        return Face(
            x: x,
            y: y,
            width: width,
            height: height,
            confidence: numbers[4],
            landmarks: landmarks(numbers[5...])
        )
    }

    private static func landmarks(_ numbers: ArraySlice<Double>) -> [Face.Point]? {
        guard numbers.count == Face.landmarkCount * 2 else { return nil }
        var points: [Face.Point] = []
        points.reserveCapacity(Face.landmarkCount)
        for place in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2) {
            guard let x = Int(exactly: numbers[place]), let y = Int(exactly: numbers[place + 1]) else {
                return nil
            }
            points.append(Face.Point(x: x, y: y))
        }
        return points
    }

    /// Reads a number, most of which are a few digits, some with a point among them.
    ///
    /// Fifteen digits and the power of ten to divide them by are exact, so the quotient is the closest number.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var (value, digits, point) = (0, 0, Int?.none)
        var index = isNegative ? 1 : 0
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            if digit <= 9, digits < 15 {
                value = value * 10 + Int(digit)
                digits += 1
            } else if bytes[index] == UInt8(ascii: "."), point == nil, digits > 0 {
                point = digits
            } else {
                return Double(String(decoding: bytes, as: UTF8.self))
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        let number = Double(isNegative ? -value : value)
        guard let point else { return isNegative && value == 0 ? -0.0 : number }
        return (isNegative && value == 0 ? -0.0 : number) / powersOfTen[digits - point]
    }

    private static let powersOfTen: [Double] = (0...15).reduce(into: []) { powers, _ in
        powers.append(powers.last.map { $0 * 10 } ?? 1)
    }
}
