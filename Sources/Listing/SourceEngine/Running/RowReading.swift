import SourceCore

/// The reading of a list in rows: the list that is open, and its rows that are read while others are kept.
struct RowReading {
    /// The list as it was fetched by this run of the daemon; nil for none.
    private(set) var list: OpenList?
    /// The rows after those that are being kept.
    private var ahead: RowsAhead?

    /// Reads on in a list from now on.
    mutating func open(_ list: OpenList) { self.list = list }

    /// Notes the place from which a compressed list can be read on.
    mutating func readOn(from place: CompressedPlace?) { list?.place = place }

    /// Closes the list.
    mutating func close() {
        dropAhead()
        list = nil
    }

    /// Gives up the rows that are read ahead.
    mutating func dropAhead() {
        ahead?.cancel()
        ahead = nil
    }

    /// Begins to read further rows of a list.
    mutating func readAhead(
        _ plan: PagePlan,
        of list: OpenList,
        from place: CompressedPlace?,
        by visit: ListVisit
    ) {
        ahead = RowsAhead(plan, of: list, from: place, by: visit)
    }

    /// Returns what reads rows of a list: those that are being read ahead, if they are these.
    mutating func outcome(
        of plan: PagePlan,
        in list: OpenList,
        by visit: ListVisit
    ) -> @Sendable () async -> PageVisit.Outcome {
        if let ahead, ahead.isOf(plan, list) {
            self.ahead = nil
            return ahead.outcome
        }
        dropAhead()
        return { await visit.rows(plan, list.response, from: list.place) }
    }
}

/// The list that a source reads row by row, as this run of the daemon knows it.
struct OpenList: Sendable {
    /// The SHA-256 of its file.
    let sha256: String
    /// The server's response besides the list; empty where an earlier run of the daemon has fetched it.
    let response: SourceMachine.Response
    /// The place from which a compressed list can be read on without its beginning.
    ///
    /// It isn't stored: after a restart, the list is decompressed from its start once.
    var place: CompressedPlace?
}
