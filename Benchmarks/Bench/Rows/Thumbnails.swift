import Foundation

/// Measures the cost of thumbnails for detection that makes them in passing, with haar, which decodes in
/// fewer pixels than any other engine.
struct Thumbnails: Measure {
    static let name = "thumbnails"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        // As telephones write them, and as pages of the web have them: there decoding hides less of the rest.
        try rows(workshop, "30 JPEGs of 12 megapixels") { folder in
            try Pictures(plan: plan, in: folder, megapixels: 12, count: 30)
        }
            + rows(workshop, "160 JPEGs of 0.2 to 2.9 megapixels") { folder in
                try Pictures(plan: plan, in: folder, megapixels: 0.2, 0.5, 1.2, 2.9, count: 160)
            }
    }

    private func rows(
        _ workshop: Workshop,
        _ name: String,
        _ make: (String) throws -> Pictures
    ) throws -> [Row] {
        try workshop.withDirectory("pictures") { folder in
            let pictures = try make(folder)
            let plain = try measure(workshop, pictures)
            try Python.run("profile", pictures.files)
            let profiled = try measure(workshop, pictures)
            let work = name + " looked at, with thumbnails"
            return [(work, plain), (work + ", colours of Display P3", profiled)].map { work, pairs in
                Row(work, against: "gallery.cache: 0", pairs: pairs, limit: 1.08, aim: nil)
            }
        }
    }

    private func measure(
        _ workshop: Workshop,
        _ pictures: Pictures
    ) throws -> [(ours: Double, theirs: Double)] {
        let names = try pictures.serve(workshop.server)
        defer { workshop.server.remove(names) }
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "thumbnails.txt")
        return try workshop.pairs(plan.runs) {
            try look(workshop, list, names.count, cache: "4 GiB")
        } theirs: {
            try look(workshop, list, names.count, cache: "0")
        }
    }

    /// From the opening of the gate until the last result is durable.
    private func look(_ workshop: Workshop, _ list: String, _ count: Int, cache: String) throws -> Double {
        try workshop.withDirectory("ours") { directory in
            let settings = ["FACEFETCH_GALLERY_CACHE": cache]
            let daemon = try Facefetch(in: directory, concurrency: 4, settings: settings)
            defer { daemon.kill(SIGTERM) }
            _ = try daemon.add(list: list)
            try daemon.untilStored(count)
            let begun = Clock.seconds()
            try daemon.release()
            try daemon.untilDone(count)
            let seconds = Clock.seconds() - begun
            let kept = FileManager.default.subpaths(atPath: directory + "/cache") ?? []
            let thumbnails = kept.filter { $0.hasSuffix(".jpg") }.count
            // The last is written while we look; with a cache of nothing there is none.
            guard cache == "0" ? thumbnails == 0 : thumbnails >= count - 1 else {
                throw BenchError.failed(
                    "\(thumbnails) thumbnails of \(count) are there with a cache of \(cache)"
                )
            }
            return seconds
        }
    }
}
