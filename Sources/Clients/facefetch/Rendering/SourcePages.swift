import ControlAPI
import Vocabulary

/// Sources as a table, and one with all that is known about it.
enum SourcePages {
    /// All that `source list` shows, in one table.
    private static func table(_ sources: [SourceJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "SOURCE"), .init(title: "KIND"), .init(title: "STATE"),
            .init(title: "PAGES", isNumeric: true), .init(title: "ITEMS", isNumeric: true),
            .init(title: "NEW", isNumeric: true), .init(title: "BAD", isNumeric: true),
            .init(title: "WHY", isFlexible: true),
        ])
        table.rows = sources.map { source in
            [
                source.name.safeForTerminal, source.kind.safeForTerminal,
                source.state.code.text.safeForTerminal, "\(source.pages)", items(source), "\(source.new)",
                "\(source.bad)", why(source).safeForTerminal,
            ]
        }
        return table
    }

    /// The lines of `source list`.
    ///
    /// What is wrong with a source is a sentence that says what to do, which has to be whole. In a window
    /// where it isn't in its row it stands below.
    ///
    /// - Parameter width: The window's width; nil for lines of any length.
    static func list(_ sources: [SourceJSON], width: Int?) -> [String] {
        var table = table(sources)
        let whole = table.lines(width: nil)
        guard let width, whole.contains(where: { $0.columns > width }) else { return whole }
        table.columns.removeLast()
        table.rows = table.rows.map { Array($0.dropLast()) }
        let lines = table.lines(width: width)
        return lines.prefix(1)
            + zip(lines.dropFirst(), sources).flatMap { line, source in
                [line] + why(source).safeForTerminal.wrapped(to: width - 4).map { "    " + $0 }
            }
    }

    private static func items(_ source: SourceJSON) -> String {
        source.total.map { "\(source.items) of \($0)" } ?? "\(source.items)"
    }

    private static func why(_ source: SourceJSON) -> String {
        let until = source.state.until.map { "until \(LocalTime.full($0))" }
        return [until, source.state.reason].compactMap(\.self).joined(separator: ": ")
    }

    /// The lines of `source show`, each with its label in front.
    static func lines(_ source: SourceJSON, pages: [SourcePageJSON]) -> [String] {
        var lines: [(label: String, text: String)] = [
            ("Source", source.kind.isEmpty ? source.name : "\(source.name), kind \(source.kind)"),
            ("State", [source.state.code.text, why(source)].filter { !$0.isEmpty }.joined(separator: ", ")),
            ("URL", source.url),
            ("Every", source.every.map { "\(Int($0)) s" } ?? "never by itself"),
        ]
        if let walk = source.walk {
            let place = [walk.slice.map { "slice \($0)" }, walk.cursor].compactMap(\.self)
            let end =
                walk.complete ? "complete" : place.isEmpty ? "ended" : "at \(place.joined(separator: ", "))"
            lines.append(("Walk", "number \(walk.number), \(end)"))
            if walk.slicesFailed > 0 {
                let count = Quantities.count(walk.slicesFailed, "slice")
                lines.append(("", "\(count) could not be read, and will be tried again by the next walk:"))
                for bad in walk.badSlices { lines.append(("", "  \(bad.slice): \(bad.message)")) }
            }
        }
        lines.append(
            (
                "Items",
                "\(items(source)) on \(Quantities.count(source.pages, "page")): \(source.new) new, \(source.known) known, \(source.bad) bad"
            )
        )
        if let jobs = source.jobs {
            let counts = JobState.allCases.compactMap { state -> String? in
                guard let count = jobs[.known(state)], count > 0 else { return nil }
                return "\(count) \(state.rawValue)"
            }
            lines.append(("Jobs", counts.isEmpty ? "none" : counts.joined(separator: ", ")))
        }
        if let handed = source.handed {
            lines.append(("Fleet", "\(Quantities.count(handed, "item")) that it has or is to have"))
        }
        if let error = source.lastError {
            lines.append(("Error", "\(error.code): \(error.message)"))
            if let excerpt = error.excerpt { lines.append(("", "it begins with: \(excerpt)")) }
        }
        if let round = source.refresh {
            lines.append(("Refresh", refresh(round)))
            if let trouble = round.trouble { lines.append(("", trouble)) }
        }
        lines.append(("Read", source.lastReadAt.map(LocalTime.full) ?? "not yet"))
        lines.append(("Added", LocalTime.full(source.createdAt)))
        if let file = source.file { lines.append(("File", file)) }
        for (index, page) in pages.prefix(10).enumerated() {
            lines.append((index == 0 ? "Pages" : "", self.page(page)))
            for complaint in page.complaints.prefix(3) { lines.append(("", "  \(complaint)")) }
        }
        return lines.map { "\($0.label.padded(to: 11))\($0.text.safeForTerminal)" }
    }

    private static func refresh(_ round: SourceJSON.Refresh) -> String {
        "\(Quantities.count(round.asked, "picture")) asked about\(round.complete ? "" : " so far"): "
            + "\(round.changed) changed, \(round.gone) gone, \(round.unanswered) without an answer"
    }

    private static func page(_ page: SourcePageJSON) -> String {
        let answer = page.error ?? page.status.map(String.init) ?? "rows"
        return "\(LocalTime.full(page.time))  \(answer)  \(page.items) items, \(page.new) new  \(page.url)"
    }
}
