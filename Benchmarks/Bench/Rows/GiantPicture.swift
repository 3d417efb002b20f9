import Foundation
import LabelledPhotographs

/// A picture of a gigapixel, the most that is decoded: what it takes of memory.
struct GiantPicture: Measure {
    static let name = "giant"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("giant") { folder in
            guard let photo = try? Labels(folder: plan.photographs).images.first else {
                throw BenchError.failed(
                    "there are no photographs in \(plan.photographs); set FACEFETCH_PHOTOS"
                )
            }
            let file = folder + "/giant.jpg"
            try Python.run("giant", [plan.photographs + "/" + photo.file, file])
            let costs = try (0..<plan.runs).map { _ in try Detector.command([file]).run() }
            let work = "a baseline JPEG of a gigapixel"
            return [
                Row(
                    "\(work): resident memory",
                    unit: "MiB",
                    values: costs.map { $0.memory / Double(1 << 20) },
                    limit: 1024,
                    aim: nil
                ),
                Row("\(work): wall", unit: "s", values: costs.map(\.wall), limit: nil, aim: nil),
            ]
        }
    }
}
