import ControlAPI
import JobModel
import SourceEngine
import Vocabulary

extension OpenMetricsText {
    /// Adds what is known of sources; counts are those since the daemon's start.
    ///
    /// - Parameter unread: The conditions of those that don't run.
    mutating func addSources(_ sources: [SourceSnapshot], unread: [SourceCondition], now: Moment) {
        family(
            "facefetch_sources",
            .gauge,
            help: "Sources by state.",
            SourceCondition.allCases.map { condition in
                Sample(
                    "state",
                    condition.rawValue,
                    (sources.map(\.condition) + unread).count { $0 == condition }
                )
            }
        )
        counter("facefetch_source_pages", "Pages read.", sources) { $0.totals.pages }
        counter("facefetch_source_items", "Items listed on pages.", sources) { $0.totals.items }
        counter("facefetch_source_new_items", "Items that became jobs.", sources) { $0.totals.new }
        counter("facefetch_source_bad_items", "Items that could not be read.", sources) { $0.totals.bad }
        family(
            "facefetch_source_errors",
            .counter,
            help: "Pages that could not be read, by code.",
            sources.flatMap { source in
                source.totals.errors.sorted { $0.key < $1.key }.map { code, count in
                    Sample(
                        suffix: "",
                        labels: [("source", source.name), ("code", code)],
                        value: Double(count)
                    )
                }
            }
        )
        family(
            "facefetch_source_last_read_timestamp_seconds",
            .gauge,
            unit: "seconds",
            help: "When a page was last read, as Unix time.",
            sources.compactMap { source in
                source.lastReadAt.map { Self.sample(source, Double($0.microseconds) / 1_000_000) }
            }
        )
        family(
            "facefetch_source_lag_seconds",
            .gauge,
            unit: "seconds",
            help: "For how long the page that a source wants can't be read; 0 when nothing is wrong.",
            sources.map { Self.sample($0, $0.lag(now: now)) }
        )
    }

    private mutating func counter(
        _ name: String,
        _ help: String,
        _ sources: [SourceSnapshot],
        _ value: (SourceSnapshot) -> Int
    ) {
        family(name, .counter, help: help, sources.map { Self.sample($0, Double(value($0))) })
    }

    private static func sample(_ source: SourceSnapshot, _ value: Double) -> Sample {
        Sample(suffix: "", labels: [("source", source.name)], value: value)
    }
}

extension SourceSnapshot {
    /// Returns for how many seconds the source's next page can't be read.
    fileprivate func lag(now: Moment) -> Double {
        let seconds = Double(now.steady.microseconds) / 1_000_000
        return state.failingSince.map { max(0, seconds - $0) } ?? 0
    }
}
