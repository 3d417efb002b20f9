import Foundation

/// Downloading and detecting at the same time, from an origin so slow that both take about equally long.
struct Overlap: Measure {
    static let name = "overlap"
    let plan: Plan
    private static let connections = 6
    private static let detectors = 2

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("pictures") { folder in
            let pictures = try Pictures(plan: plan, in: folder, megapixels: 2, count: plan.overlapping)
            let names = try pictures.serve(workshop.server)
            defer { workshop.server.remove(names) }
            defer { workshop.server.remove(names) }
            let sizes = try pictures.files.map {
                try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0
            }
            let bytes = Double(sizes.reduce(0, +))
            var pairs: [(ours: Double, theirs: Double)] = []
            var sums: [Double] = []
            for _ in 0..<plan.runs {
                let detecting = try detectAlone(workshop, names)
                let rate = Int(bytes / detecting / Double(Self.connections))
                let downloading = try download(workshop, names, rate: rate, detecting: false)
                let both = try download(workshop, names, rate: rate, detecting: true)
                pairs.append((both, max(detecting, downloading)))
                sums.append(detecting + downloading)
            }
            let work = "\(names.count) pictures downloaded and looked at"
            return [
                Row(work, against: "the longer of the two alone", pairs: pairs, limit: 1.1, aim: 1.0),
                Row(
                    work,
                    against: "one after the other",
                    pairs: zip(pairs, sums).map { ($0.ours, $1) },
                    limit: nil,
                    aim: 0.55
                ),
            ]
        }
    }

    /// Everything is there when the gate is opened.
    private func detectAlone(_ workshop: Workshop, _ names: [String]) throws -> Double {
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "overlap.txt")
        return try workshop.withDirectory("ours") { directory in
            let daemon = try daemon(in: directory, detecting: false)
            defer { daemon.kill(SIGTERM) }
            _ = try daemon.add(list: list)
            try daemon.untilStored(names.count)
            let begun = Clock.seconds()
            try daemon.release()
            try daemon.untilDone(names.count)
            return Clock.seconds() - begun
        }
    }

    /// From a slow origin, with detection as documents arrive or without any.
    private func download(
        _ workshop: Workshop,
        _ names: [String],
        rate: Int,
        detecting: Bool
    ) throws -> Double {
        let urls = names.map { workshop.server.url("paced/\($0)?rate=\(rate)") }
        let list = try workshop.write(urls, to: "overlap.txt")
        return try workshop.withDirectory("ours") { directory in
            let daemon = try daemon(in: directory, detecting: detecting)
            defer { daemon.kill(SIGTERM) }
            let begun = Clock.seconds()
            _ = try daemon.add(list: list)
            if detecting { try daemon.untilDone(names.count) } else { try daemon.untilStored(names.count) }
            return Clock.seconds() - begun
        }
    }

    private func daemon(in directory: String, detecting: Bool) throws -> Facefetch {
        try Facefetch(
            in: directory,
            concurrency: Self.connections,
            detectors: Self.detectors,
            held: !detecting
        )
    }
}
