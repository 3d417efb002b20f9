import Foundation

/// A label file that isn't what it should be.
public struct LabelFailure: Error, CustomStringConvertible {
    /// The problem, and its place.
    public let description: String
}

extension Labels {
    /// Reads a label file of WIDER FACE, such as `wider_face_val_bbx_gt.txt`.
    ///
    /// For each picture it has a line with its name, one with the number of faces, and one for each face:
    /// `x y width height` and six marks, of which the fourth says that it isn't to be counted. A picture
    /// without faces has one line of zeros.
    public init(widerFace text: String) throws(LabelFailure) {
        var lines = text.split(whereSeparator: \.isNewline)[...]
        var images: [Image] = []
        while let file = lines.popFirst() {
            guard let count = lines.popFirst().flatMap({ Int($0.filter { $0 != " " }) }), count >= 0 else {
                throw LabelFailure(description: "there is no number of faces behind \(file)")
            }
            var faces: [[Int]] = []
            var ignored: [[Int]] = []
            for _ in 0..<max(1, count) {
                guard let line = lines.popFirst() else {
                    throw LabelFailure(description: "\(file) has fewer faces than \(count)")
                }
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                guard numbers.count >= 4 else {
                    throw LabelFailure(description: "\(line) is not a face of \(file)")
                }
                let box = Array(numbers[..<4])
                guard box[2] > 0, box[3] > 0 else { continue }
                if numbers.count > 7, numbers[7] != 0 { ignored.append(box) } else { faces.append(box) }
            }
            images.append(Image(file: String(file), faces: faces, ignored: ignored))
        }
        self.init(images: images)
    }
}
