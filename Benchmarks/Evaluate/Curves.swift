import ArgumentParser
import Foundation

/// Curves of precision over recall, drawn by gnuplot.
struct Curves {
    private let measurements: [Measurement]

    init(_ measurements: [Measurement]) { self.measurements = measurements }

    /// Draws a PNG.
    func draw(to path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/gnuplot")
        let input = Pipe()
        process.standardInput = input
        do {
            try process.run()
        } catch {
            throw ValidationError("gnuplot can't be run (\(error)); Debian's package gnuplot-nox installs it")
        }
        try input.fileHandleForWriting.write(contentsOf: Data(script(path).utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ValidationError("\(path) can't be drawn") }
    }

    private func script(_ path: String) -> String {
        let curves = measurements.compactMap { measurement in
            measurement.scores.first.map { (title(measurement), $0.score.curve) }
        }.filter { !$0.1.isEmpty }
        let plots = curves.map { "'-' with linespoints pointtype 7 pointsize 0.4 title \"\($0.0)\"" }
        let points = curves.map { _, curve in
            curve.map { "\($0.recall) \($0.precision)" }.joined(separator: "\n") + "\ne"
        }
        return """
            set terminal pngcairo size 1000,700
            set output \(Self.quoted(path))
            set xlabel "recall"
            set ylabel "precision (overlap \(Measurement.overlaps[0]))"
            set xrange [0:1]
            set yrange [0:1.02]
            set key bottom left noenhanced
            plot \(plots.isEmpty ? "NaN notitle" : plots.joined(separator: ", "))
            \(points.joined(separator: "\n"))

            """
    }

    private func title(_ measurement: Measurement) -> String {
        let words = measurement.parameters.split(separator: " ")
        let kept = words.filter { word in ["model=", "small-faces="].contains { word.hasPrefix($0) } }
        return ([measurement.engine[...]] + (kept.isEmpty ? words : kept)).joined(separator: " ")
    }

    /// A text as gnuplot takes it: what stands between single quotes is as it is, but for these.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}
