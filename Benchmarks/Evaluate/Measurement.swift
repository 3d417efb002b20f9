import ArgumentParser
import FaceDetection
import Foundation
import LabelledPhotographs

/// A measurement of one engine with one setting over all photographs.
struct Measurement {
    /// The overlaps at which a box is on its face.
    static let overlaps = [0.3, 0.5]

    let engine: String
    let parameters: String
    let scores: [(overlap: Double, score: Score)]
    /// Processor time per picture.
    let milliseconds: Double
    /// The boxes in a hundred pictures that are on no face, at the smallest overlap.
    let falseFaces: Double
    /// The number of pictures by the number of looks.
    let looks: [Int: Int]

    init(_ detector: FaceDetector, _ labels: Labels, folder: String, rounds: Int) throws {
        var scores = Self.overlaps.map { (overlap: $0, score: Score(overlap: $0)) }
        var looks: [Int: Int] = [:]
        var milliseconds = 0.0
        for image in labels.images {
            var times: [Double] = []
            var detection = Detection.unreadable(reason: "not looked at")
            for _ in 0..<max(1, rounds) {
                let begun = Self.processorTime()
                detection = detector.look(at: folder + "/" + image.file)
                times.append(Self.processorTime() - begun)
            }
            guard case .counted(let seen) = detection else {
                throw ValidationError("\(image.file) can't be looked at: \(detection)")
            }
            let boxes = seen.faces.map {
                Score.Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height, confidence: $0.confidence)
            }
            for index in scores.indices {
                scores[index].score.add(boxes, labels: image.faces, ignored: image.ignored)
            }
            looks[seen.looks.count, default: 0] += 1
            milliseconds += times.sorted()[times.count / 2]
        }
        engine = detector.engine.name
        parameters = detector.parameters
        self.scores = scores
        self.looks = looks
        let count = Double(max(1, labels.images.count))
        falseFaces = Double(scores.first.map { $0.score.all.found - $0.score.all.right } ?? 0) * 100 / count
        self.milliseconds = milliseconds / count
    }

    /// Returns the processor time that this process has used so far, in milliseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// All rates as a table for people.
    var table: String {
        let times = looks.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
        var lines = [
            "\(engine) \(parameters)",
            String(format: "  %.1f ms a picture; looks: ", milliseconds) + times
                + String(format: "; false faces in 100 pictures: %.1f", falseFaces),
            "  overlap  faces of      labelled  found  precision  recall     F1",
        ]
        for (overlap, score) in scores {
            lines.append(row(overlap, "all sizes", score.all))
            for size in FaceSize.allCases { lines.append(row(overlap, size.rawValue, score.rates(of: size))) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ overlap: Double, _ name: String, _ rates: Score.Rates) -> String {
        String(format: "  %7.1f  ", overlap) + name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + String(
                format: "%10d %6d %10.3f %7.3f %6.3f",
                rates.labelled,
                rates.found,
                rates.precision,
                rates.recall,
                rates.f1
            )
    }

    /// The same as one line of JSON.
    func json() throws -> String {
        func rates(_ overlap: Double, _ size: String, _ rates: Score.Rates) -> Line.Rates {
            .init(
                overlap: overlap,
                size: size,
                labelled: rates.labelled,
                found: rates.found,
                precision: rates.precision,
                recall: rates.recall,
                f1: rates.f1
            )
        }
        let line = Line(
            engine: engine,
            parameters: parameters,
            milliseconds: milliseconds,
            falseFaces: falseFaces,
            looks: Dictionary(uniqueKeysWithValues: looks.map { ("\($0.key)", $0.value) }),
            rates: scores.flatMap { overlap, score in
                [rates(overlap, "all", score.all)]
                    + FaceSize.allCases.map { rates(overlap, $0.rawValue, score.rates(of: $0)) }
            }
        )
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(line), as: UTF8.self)
    }

    private struct Line: Encodable {
        struct Rates: Encodable {
            var overlap: Double
            var size: String
            var labelled: Int
            var found: Int
            var precision: Double
            var recall: Double
            var f1: Double
        }

        var engine: String
        var parameters: String
        var milliseconds: Double
        var falseFaces: Double
        var looks: [String: Int]
        var rates: [Rates]
    }
}
