import Foundation

/// One line of the table.
struct Row {
    /// The work that was done.
    var work: String
    /// The program on the other side; nil if a figure of ours stands alone.
    var peer: String?
    var unit: String
    var ours: Spread
    var theirs: Spread?
    /// Ours ÷ theirs, pair by pair.
    var ratios: Spread?
    /// The most it may be: of the ratio, or of our own figure.
    var limit: Double?
    /// The figure that is aimed at.
    var aim: Double?

    /// A row of pairs: each of ours was measured beside the one of theirs at its place.
    init(
        _ work: String,
        against peer: String,
        unit: String = "s",
        pairs: [(ours: Double, theirs: Double)],
        limit: Double?,
        aim: Double?
    ) {
        self.work = work
        self.peer = peer
        self.unit = unit
        ours = Spread(pairs.map(\.ours))
        theirs = Spread(pairs.map(\.theirs))
        ratios = Spread(pairs.map { $0.ours / $0.theirs })
        self.limit = limit
        self.aim = aim
    }

    /// A row of ours alone.
    init(_ work: String, unit: String, values: [Double], limit: Double?, aim: Double?) {
        self.work = work
        self.unit = unit
        ours = Spread(values)
        self.limit = limit
        self.aim = aim
    }
}

/// A way of printing rows: Markdown, which people read as well.
enum Table {
    static let heading = """
        | work | against | ours: median (min–max) | theirs: median (min–max) | ratio: median (min–max) | at most | aim | |
        |---|---|---|---|---|---|---|---|
        """
    static let legend = """

        A ratio is ours ÷ theirs of one pair of runs: less is better. "At most" and "aim" are for the \
        median ratio, or for our own median where there is no peer.
        """

    static func line(_ row: Row) -> String {
        let figure = row.ratios?.median ?? row.ours.median
        let verdict: String
        if let aim = row.aim, figure <= aim {
            verdict = "aim reached"
        } else if let limit = row.limit {
            verdict = figure <= limit ? "ok" : "MISSED"
        } else {
            verdict = ""
        }
        let cells = [
            row.work, row.peer ?? "", text(row.ours, row.unit), row.theirs.map { text($0, row.unit) } ?? "",
            row.ratios.map { text($0, "×") } ?? "", row.limit.map(number) ?? "", row.aim.map(number) ?? "",
            verdict,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func text(_ spread: Spread, _ unit: String) -> String {
        "\(number(spread.median)) \(unit) (\(number(spread.least))–\(number(spread.most)))"
    }

    private static func number(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}
