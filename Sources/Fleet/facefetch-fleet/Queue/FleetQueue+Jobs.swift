import FleetCore

extension FleetQueue {
    /// Returns what is marked as held by a node, slice by slice.
    func held(by node: Node) throws(FleetQueueError) -> [ClaimedItem] {
        try connection.run([
            Call(JobStatements.prune, [node.idText]), Call(JobStatements.held, [node.idText]),
        ])[1].map(ClaimedItem.init).compactMap { $0 }
    }

    /// Notes that nothing of these slices is held any more.
    func finish(_ tokens: [Int64], of node: Node) throws(FleetQueueError) {
        _ = try connection.run([Call(JobStatements.finish, [node.idText, ArrayText.of(tokens)])])
    }

    /// Notes for how many seconds jobs wait for their next try, so that nobody blames them for what happens in
    /// that time.
    func wait(_ jobs: [FleetJob: Double]) throws(FleetQueueError) {
        guard !jobs.isEmpty else { return }
        let names = Array(jobs.keys)
        let seconds = "{" + names.map { "\(jobs[$0] ?? 0)" }.joined(separator: ",") + "}"
        let values = [ArrayText.of(names.map(\.job)), ArrayText.of(names.map(\.token)), seconds]
        _ = try connection.run([Call(JobStatements.wait, values)])
    }

    /// Blames those of jobs that don't wait for what has ended their node's daemon, and returns those that are suspected
    /// now.
    func blame(_ jobs: [FleetJob]) throws(FleetQueueError) -> Set<FleetJob> {
        let values = [ArrayText.of(jobs.map(\.job)), ArrayText.of(jobs.map(\.token))]
        return Self.jobs(try connection.run([Call(JobStatements.blame, values)])[0], of: jobs)
    }

    /// Returns which of the jobs that a node believes to hold are no longer its own.
    func withdrawn(of jobs: [FleetJob]) throws(FleetQueueError) -> Set<FleetJob> {
        let values = [ArrayText.of(jobs.map(\.job)), ArrayText.of(jobs.map(\.token))]
        return Self.jobs(try connection.run([Call(JobStatements.withdrawn, values)])[0], of: jobs)
    }

    /// Returns what a node holds of buckets that it is about to give away.
    func draining(of node: Node) throws(FleetQueueError) -> Set<FleetJob> {
        Set(
            try connection.run([Call(JobStatements.draining, [node.idText])])[0].map { row -> FleetJob? in
                guard let job = row.integer(0), let token = row.integer(1), let fleet = row.text(2) else {
                    return nil
                }
                return FleetJob(fleet: fleet, job: job, token: token)
            }.compactMap { $0 }
        )
    }

    /// Returns those of jobs that a node holds, or held in this life, which rows name by number and token.
    private static func jobs(_ rows: Rows, of all: [FleetJob]) -> Set<FleetJob> {
        let named = Set(rows.map { [$0.integer(0), $0.integer(1)] })
        return Set(all.filter { named.contains([$0.job, $0.token]) })
    }

    /// Records what has become of jobs, gives others back, and returns which of both stand in the record under
    /// their slices.
    ///
    /// What others have taken over is left as it is. Repeated, it changes nothing.
    /// - Parameter event: The last ending of the daemon that these are from.
    func report(
        _ plan: ReportPlan,
        through event: Int64,
        by node: Node
    ) throws(FleetQueueError) -> Set<FleetJob> {
        let records = plan.records
        let back = plan.returned + plan.blamed
        var calls = [
            Call(
                JobStatements.report,
                [
                    ArrayText.of(records.map(\.job.job)), ArrayText.of(records.map(\.job.token)),
                    ArrayText.of(records.map(\.state.rawValue)), ArrayText.of(records.map(\.bytes)),
                    ArrayText.of(records.map(\.sha256)), ArrayText.of(records.map(\.document)),
                    ArrayText.of(records.map(\.error)), ArrayText.of(records.map(\.outcome)),
                    ArrayText.of(records.map { $0.faces.map { min($0, Int(Int16.max)) } }),
                    ArrayText.of(records.map(\.detection)),
                    node.idText, node.incarnationText, "\(event)",
                    ArrayText.of(records.map(\.facts)),
                ]
            )
        ]
        if !back.isEmpty {
            let blame = plan.returned.map { _ in 0 } + plan.blamed.map { _ in 1 }
            let values = [
                ArrayText.of(back.map(\.job)), ArrayText.of(back.map(\.token)), ArrayText.of(blame),
            ]
            calls.append(Call(JobStatements.giveBack, values))
        }
        let rows = try connection.run(calls)
        for row in rows.dropFirst().flatMap({ $0.map(\.self) }) {
            guard let bucket = row.integer(0), let turn = row.integer(1), let job = row.integer(2) else {
                continue
            }
            heads.lower(bucket: Int(bucket), turn: Int(turn), to: job)
        }
        let recorded = Self.jobs(rows[0], of: records.map(\.job))
        // What wasn't recorded now may have been before, by a report whose answer was lost.
        let others = (records.map(\.job) + back).filter { !recorded.contains($0) }
        guard !others.isEmpty else { return recorded }
        let values = [ArrayText.of(others.map(\.job)), ArrayText.of(others.map(\.token))]
        let before = try connection.run([Call(JobStatements.recorded, values)])[0]
        return recorded.union(Self.jobs(before, of: others))
    }

    /// Returns of which endings the record names the documents, and of which there is something else in their place;
    /// of all others nothing is known.
    func standing(
        of endings: [FleetEnding],
        in place: DocumentPlace
    ) throws(FleetQueueError) -> (recorded: Set<FleetJob>, superseded: Set<FleetJob>) {
        var (recorded, superseded): (Set<FleetJob>, Set<FleetJob>) = ([], [])
        guard !endings.isEmpty else { return (recorded, superseded) }
        let jobs = endings.map(\.job)
        let values = [
            ArrayText.of(jobs.map(\.fleet)), ArrayText.of(jobs.map(\.job)), ArrayText.of(jobs.map(\.token)),
            ArrayText.of(endings.map { place.address(of: $0) }),
        ]
        for (number, isRecorded) in try connection.run([Call(JobStatements.standing, values)])[0].map({
            (Int($0.integer(0) ?? 0) - 1, $0.text(1) == "recorded")
        }) where jobs.indices.contains(number) {
            if isRecorded { recorded.insert(jobs[number]) } else { superseded.insert(jobs[number]) }
        }
        return (recorded, superseded)
    }
}
