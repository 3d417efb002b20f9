import ControlAPI
import FoundationEssentials
import Vocabulary

/// Posting what the command line, a list or a table names.
extension Add {
    /// Waits until all batches have ended; throws the status of one that did not end well.
    func wait(for batches: [BatchJSON], _ client: ControlClient, _ output: Output) throws {
        var status = ExitStatus.done
        var outcome: BatchOutcome?
        for batch in batches {
            let wait = try BatchWait(client: client, batch: batch, output: output, isJSON: json)
            let end = try wait.run()
            // Somebody has ended the waiting.
            guard let part = wait.outcome else { throw end }
            status = end == .done ? status : end
            outcome?.add(part)
            outcome = outcome ?? part
        }
        try output.flush()
        if notify, let outcome {
            let notice = DesktopNotice(summary: outcome.summary, body: outcome.details)
            if let problem = notice.show() { Output.note("No notification is shown: \(problem).") }
        }
        guard status == .done else { throw status }
    }

    /// Returns the confirmation of an accepted batch.
    static func receipt(_ batch: BatchJSON) -> String {
        var jobs = ""
        if let first = batch.jobs?.first, let last = batch.jobs?.last {
            jobs = first == last ? ", job j\(first)" : ", jobs j\(first) to j\(last)"
        }
        return """
            Added \(Quantities.count(batch.jobCount, "file")) as batch b\(batch.id)\(jobs). \
            Follow with: facefetch log -f --batch b\(batch.id)
            """
    }

    /// Returns what the command line and a list name; patterns are expanded if that was asked for, and otherwise
    /// refused or left out.
    func items(leavingOut bad: BadLines?) throws(ClientError) -> ItemList {
        var list = ItemList()
        list.add(arguments: urls)
        if let from { try list.add(file: from) }
        if expand {
            list = try list.expanded()
        } else {
            let patterns = list.takePatterns()
            if let bad {
                for (item, reason) in patterns {
                    bad.add(item.place, url: item.url, name: item.name, reason: reason)
                }
            } else if let first = patterns.first {
                let place = "\(first.item.place.safeForTerminal), \"\(first.item.url.safeForTerminal)\""
                throw .usage("\(place), is refused: \(first.reason). Nothing was added.")
            }
            if list.items.isEmpty, bad?.count ?? 0 > 0 { return list }
        }
        guard !list.items.isEmpty else { throw .usage("There is nothing to add: the list has no URLs.") }
        guard list.items.count == 1 || (name == nil && sha256 == nil) else {
            throw .usage("--name and --sha256 are for one file: add it by itself.")
        }
        return list
    }

    /// Adds what a table lists, in as many batches as that takes, all of them checked before the first is posted.
    func add(table file: String, _ kind: TableOptions.Kind, to output: Output) throws {
        guard urls.isEmpty, name == nil, sha256 == nil else {
            throw ClientError.usage(
                "A table has its own URLs, names and checksums: add other files by themselves."
            )
        }
        let bad = try skipBad.map { (file) throws(ClientError) in try BadLines(file: file) }
        let rows = try TableReader.read(file, kind, table, meta: meta.columns, leavingOut: bad)
        let item = try itemMaker()
        let items = rows.map { item($0.url, $0.name, $0.sha256, $0.meta ?? MetaMember.object(meta.members)) }
        let name = file == "-" ? "standard input" : file
        try post(items, leavingOut: bad, to: output) { index in
            "\(name) " + (rows[index].line.map { "line \($0)" } ?? "row \(index + 1)")
        }
    }

    /// Posts items in as many batches as that takes, and waits for them if that was asked for.
    ///
    /// - Parameters:
    ///   - bad: What takes the bad ones; nil if one of them refuses all.
    ///   - place: Where an item was read, by its index.
    func post(
        _ items: [BatchRequest.Item],
        leavingOut bad: BadLines?,
        to output: Output,
        place: @escaping (Int) -> String
    ) throws {
        guard let bad else { return try post(items, of: items.count, nil, to: output, place: place) }
        let all = items.count + bad.count
        var good: [Int] = []
        for (index, item) in items.enumerated() {
            if let reason = BatchParts.refusal(of: item.url) {
                bad.add(place(index), url: item.url, name: item.name, reason: reason)
            } else {
                good.append(index)
            }
        }
        try post(good.map { items[$0] }, of: all, bad, to: output) { place(good[$0]) }
    }

    private func post(
        _ items: [BatchRequest.Item],
        of all: Int,
        _ bad: BadLines?,
        to output: Output,
        place: @escaping (Int) -> String
    ) throws {
        var parts = BatchParts(size: ItemList.maximum, items: items, place: place)
        if dryRun {
            try parts.check()
            for item in items {
                let name = item.name.map { "\t\($0.safeForTerminal)" } ?? ""
                try output.line(item.url.safeForTerminal + name)
            }
            try output.flush()
            try bad?.write(of: all)
            if let bad, bad.count > 0 { throw ExitStatus.unsuccessful }
            return
        }
        let client = try connection.client()
        parts.leaveOut = bad.map { bad in
            { bad.add(place($0), url: items[$0].url, name: items[$0].name, reason: $1) }
        }
        parts.weight = weight
        parts.skipsKnown = skipKnown
        // URLs that are given by themselves are added once more by the same command.
        let unfinished = from == nil ? nil : try unfinished(parts.json)
        parts.isRemembered = unfinished?.isRemembered ?? false
        let key = UnfinishedAdd.newKey()
        var batches: [BatchJSON] = []
        var post = PatientPost(client, waits: wait)
        do {
            try parts.post({ try post($0, key: unfinished?.key(part: $1) ?? "\(key)-\($1)") }) { posted in
                if let batch = posted.batch { batches.append(batch) }
                // What is in is told at once, whatever becomes of the next part.
                if json {
                    if !wait { try output.line(posted.line) }
                } else {
                    if !wait, let batch = posted.batch { try output.line(Self.receipt(batch)) }
                    if let news = posted.news { try output.line(news) }
                }
                try output.flush()
            }
        } catch let error as ClientError where batches.isEmpty && error.status == .usage {
            unfinished?.forget()
            throw error
        }
        unfinished?.forget()
        try bad?.write(of: all)
        if wait { try self.wait(for: batches, client, output) }
        try output.flush()
        if let bad, bad.count > 0 { throw ExitStatus.unsuccessful }
    }

    /// Returns the record of a list that is kept in case adding it is cut off.
    private func unfinished(_ batches: some Sequence<[UInt8]>) throws(ClientError) -> UnfinishedAdd {
        let digest = UnfinishedAdd.digest(batches, to: try connection.socketPath())
        let unfinished = UnfinishedAdd(digest, ProcessInfo.processInfo.environment)
        if unfinished.wasBegun {
            Output.note("The same list was cut off before: what is in already isn't added twice.")
        }
        return unfinished
    }
}
